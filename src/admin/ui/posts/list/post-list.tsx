import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { hasStatus } from '../../api/problem.js';
import { Failure } from '../../shell/failure.js';
import { AddIcon, ExportIcon } from '../../shell/icons.js';
import { Loading } from '../../shell/loaded.js';
import { Page } from '../../shell/page.js';
import { numberText } from '../../texts/numbers.js';
import { t } from '../../texts/texts.js';
import { BulkDeleteDialog } from '../deletion/bulk-delete-dialog.js';
import { ListFilters, type ListPartProps } from './list-filters.js';
import { filterOf, isFiltered } from './list-state.js';
import { Months } from './months.js';
import { Pages } from './pages.js';
import { PostTable } from './post-table.js';
import { SelectionBar } from './selection-bar.js';
import { isSelected, NOTHING, useSelection } from './selection.js';
import { useListPath, useListState } from './use-list-state.js';
import { useExcerpts, usePostCount, usePostPage } from './use-posts.js';

/** The list of posts. */
export function PostList(): ReactNode {
  const [state, change] = useListState();
  const { data: page, error, isPlaceholderData, isFetching, refetch } = usePostPage(state);
  const { rows, cursors = {} } = page ?? {};
  const filter = filterOf(state);
  const { data: count } = usePostCount(filter);
  const ids = rows?.map(({ id }) => id) ?? [];
  const { data: excerpts } = useExcerpts(ids, state.columns.includes('excerpt') && !isPlaceholderData);
  const [selection, select] = useSelection(JSON.stringify(filter));
  const [isDeleting, setDeleting] = useState(false);
  useRememberedPath();

  const isBadCursor = hasStatus(error, 400) && state.cursor !== undefined;
  const isEmpty = rows?.length === 0 && !isPlaceholderData && error === null;
  return (
    <Page
      title={t('posts.title')}
      actions={
        <>
          <Button startIcon={<ExportIcon />} component={Link} to={exportPath({ ...filter })}>
            {t('posts.export')}
          </Button>
          <Button variant="contained" startIcon={<AddIcon />} component={Link} to="/posts/create">
            {t('posts.add')}
          </Button>
        </>
      }
    >
      <ListFilters state={state} change={change} />
      <Months state={state} change={change} />
      <Box sx={{ display: 'flex', gap: 1, justifyContent: 'space-between', minHeight: 24, mt: 2, mb: 1 }}>
        <Typography variant="body2" role="status" sx={{ color: 'text.secondary' }}>
          {count === undefined
            ? t('posts.list.counting')
            : t('posts.list.count', { smart_count: count, count: numberText(count) })}
        </Typography>
        <Typography role="status" sx={{ position: 'absolute', clipPath: 'inset(50%)' }}>
          {isFetching ? t('posts.list.loading') : t('posts.list.loaded', { smart_count: ids.length })}
        </Typography>
      </Box>
      <Box sx={{ height: 4 }}>{isFetching && rows !== undefined && <LinearProgress aria-hidden />}</Box>
      {error !== null &&
        (isBadCursor ? (
          <Failure
            error={new Error(t('posts.list.badCursor'))}
            retry={() => change({ cursor: undefined }, { replace: true })}
            retryLabel={t('posts.pages.first')}
          />
        ) : (
          <Failure error={error} retry={() => void refetch()} />
        ))}
      {rows === undefined && error === null && <Loading />}
      {isEmpty && <EmptyList state={state} change={change} />}
      {rows !== undefined && rows.length > 0 && error === null && (
        <PostTable
          state={state}
          change={change}
          rows={rows}
          excerpts={excerpts}
          selection={selection}
          onSelect={select}
          isStale={isPlaceholderData}
        />
      )}
      {(ids.length > 0 || state.cursor !== undefined) && (
        <Pages state={state} change={change} cursors={cursors} />
      )}
      <SelectionBar
        selection={selection}
        onSelect={select}
        onDelete={() => setDeleting(true)}
        exportPath={exportPath(
          selection.kind === 'all' ? { ...filter } : { id: [...selection.ids].join(',') },
        )}
        count={count}
        isPageSelected={ids.length > 0 && ids.every((id) => isSelected(selection, id))}
      />
      {isDeleting && (
        <BulkDeleteDialog
          selection={selection}
          filter={filter}
          onClose={(isDone) => {
            setDeleting(false);
            if (isDone) select(NOTHING);
          }}
        />
      )}
    </Page>
  );
}

function useRememberedPath(): void {
  const { pathname, search } = useLocation();
  const [, setPath] = useListPath();
  useEffect(() => setPath(pathname + search), [pathname, search, setPath]);
}

/** The export's page, for these posts. */
function exportPath(selection: Record<string, string>): string {
  return `/export?${new URLSearchParams(selection).toString()}`;
}

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
