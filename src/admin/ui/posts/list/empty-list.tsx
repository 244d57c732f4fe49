import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { t } from '../../texts/texts.js';
import type { ListPartProps } from './list-filters.js';
import { isFiltered } from './list-state.js';

/** Says why there is no row, and what to do about it. */
export function EmptyList({ state, change }: ListPartProps): ReactNode {
  const isSearch = isFiltered(state);
  return (
    <Paper variant="outlined" sx={{ px: 3, py: 7, textAlign: 'center' }}>
      <Typography variant="h2" sx={{ mb: 0.5 }}>
        {t(isSearch ? 'posts.list.nothingFound' : 'posts.list.empty')}
      </Typography>
      <Typography sx={{ color: 'text.secondary', mb: 2.5 }}>
        {t(isSearch ? 'posts.list.nothingFoundHint' : 'posts.list.emptyHint')}
      </Typography>
      {isSearch ? (
        <Button variant="outlined" onClick={() => change({ search: '', from: '', to: '' })}>
          {t('posts.list.clear')}
        </Button>
      ) : (
        <Button variant="contained" component={Link} to="/posts/create">
          {t('posts.add')}
        </Button>
      )}
    </Paper>
  );
}
