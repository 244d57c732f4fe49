import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import type { ReactNode } from 'react';
import { FirstPageIcon, NextIcon, PreviousIcon } from '../../shell/icons.js';
import type { PageCursors } from '../../api/cursors.js';
import { t } from '../../texts/texts.js';
import type { ListPartProps } from './list-filters.js';
import { PAGE_SIZES } from './list-state.js';

/** To the neighbouring pages, and how long these are. There are no numbers: a page is found by the post before it. */
export function Pages({ state, change, cursors }: ListPartProps & { cursors: PageCursors }): ReactNode {
  const to = (cursor: string | undefined): void => {
    change({ cursor });
    window.scrollTo({ top: 0 });
  };
  return (
    <Box
      component="nav"
      aria-label={t('posts.pages.label')}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mt: 2 }}
    >
      <PageButton
        label={t('posts.pages.first')}
        icon={<FirstPageIcon />}
        isThere={state.cursor !== undefined}
        onClick={() => to(undefined)}
      />
      <PageButton
        label={t('posts.pages.previous')}
        icon={<PreviousIcon />}
        isThere={cursors.prev !== undefined}
        onClick={() => to(cursors.prev)}
      />
      <PageButton
        label={t('posts.pages.next')}
        endIcon={<NextIcon />}
        isThere={cursors.next !== undefined}
        onClick={() => to(cursors.next)}
      />
      <TextField
        select
        label={t('posts.list.pageSize')}
        value={state.limit}
        onChange={({ target }) => change({ limit: Number(target.value) })}
        sx={{ width: 136, ml: 'auto' }}
        slotProps={{ select: { native: true } }}
      >
        {PAGE_SIZES.map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </TextField>
    </Box>
  );
}

interface PageButtonProps {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly endIcon?: ReactNode;
  readonly isThere: boolean;
  readonly onClick: () => void;
}

/** Stays reachable where there is no such page: a button that is disabled would lose the focus at the last page. */
function PageButton({ label, icon, endIcon, isThere, onClick }: PageButtonProps): ReactNode {
  return (
    <Button
      variant="outlined"
      color="inherit"
      startIcon={icon}
      endIcon={endIcon}
      aria-disabled={!isThere}
      onClick={() => isThere && onClick()}
      sx={{ borderColor: 'divider', ...(!isThere && { color: 'text.disabled', cursor: 'default' }) }}
    >
      {label}
    </Button>
  );
}
