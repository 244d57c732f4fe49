import Button from '@mui/material/Button';
import type { ReactNode, RefObject } from 'react';
import { t } from '../texts/texts.js';

/** Leads past bar and menu. A button, because with <base> a link to `#main` would lead to another page. */
export function SkipLink({ target }: { target: RefObject<HTMLElement | null> }): ReactNode {
  return (
    <Button
      variant="contained"
      onClick={() => target.current?.focus()}
      sx={{
        position: 'fixed',
        top: 8,
        left: 8,
        zIndex: 'tooltip',
        '&:not(:focus)': { clipPath: 'inset(50%)', width: '1px', height: '1px', minWidth: 0, p: 0 },
      }}
    >
      {t('shell.skip')}
    </Button>
  );
}
