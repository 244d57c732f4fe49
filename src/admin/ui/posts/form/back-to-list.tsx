import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { BackIcon } from '../../shell/icons.js';
import { t } from '../../texts/texts.js';
import { useListPath } from '../list/use-list-state.js';

/** The way back to the list as it was left. */
export function BackToList(): ReactNode {
  return (
    <Button
      component={Link}
      to={useListPath()[0]}
      size="small"
      startIcon={<BackIcon />}
      sx={{ ml: -0.5, mb: 0.5 }}
    >
      {t('form.back')}
    </Button>
  );
}
