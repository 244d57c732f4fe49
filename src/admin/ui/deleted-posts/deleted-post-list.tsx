import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../api/client.js';
import { CursorLinks, useCursorPage } from '../shell/cursor-page.js';
import { DataTable } from '../shell/data-table.js';
import { failureText } from '../shell/failure.js';
import { Empty, Loaded } from '../shell/loaded.js';
import { notify } from '../shell/notices.js';
import { focusHeading, Page } from '../shell/page.js';
import { useUrlFilters } from '../shell/url-filters.js';
import { t } from '../texts/texts.js';
import { deletedPostColumns } from './deleted-post-columns.js';
import { type DeletedPost, restorePosts } from './deleted-post.js';
import { PurgeDialog } from './purge-dialog.js';

const LIMIT = 50;

export function DeletedPostList(): ReactNode {
  const { values, isFiltered, apply } = useUrlFilters(['search']);
  const page = useCursorPage<DeletedPost>('admin/api/deleted-posts/', {
    limit: LIMIT,
    search: values.search || undefined,
  });
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [purging, setPurging] = useState<DeletedPost>();

  const restore = async (ids: readonly number[]): Promise<void> => {
    try {
      await restorePosts(ids);
      notify(t('deletedPosts.restored', { smart_count: ids.length }));
    } catch (error) {
      notify(failureText(error), { type: 'error' });
    }
    setSelected(new Set());
    await queryClient.invalidateQueries();
    focusHeading();
  };

  const rows = page.data?.rows ?? [];
  const chosen = rows.filter(({ id }) => selected.has(id));
  const columns = deletedPostColumns({
    rows,
    selected,
    onSelect: setSelected,
    onRestore: ({ id }) => void restore([id]),
    onPurge: setPurging,
  });

  return (
    <Page title={t('deletedPosts.title')}>
      <Typography sx={{ color: 'text.secondary', mb: 2 }}>{t('deletedPosts.about')}</Typography>
      <DeletedPostSearch key={values.search} value={values.search} onSearch={(search) => apply({ search })} />
      <Loaded query={page}>
        {({ cursors }) =>
          rows.length === 0 ? (
            <Empty
              action={
                isFiltered && <Button onClick={() => apply({ search: '' })}>{t('lists.clearFilters')}</Button>
              }
            >
              {t(isFiltered ? 'deletedPosts.noMatch' : 'deletedPosts.empty')}
            </Empty>
          ) : (
            <>
              <Stack
                direction="row"
                sx={{ alignItems: 'center', gap: 1.5, mb: 1.5, minHeight: 36, flexWrap: 'wrap' }}
              >
                <Button
                  variant="outlined"
                  disabled={chosen.length === 0}
                  onClick={() => void restore(chosen.map(({ id }) => id))}
                >
                  {chosen.length === 0
                    ? t('deletedPosts.restoreNone')
                    : t('deletedPosts.restoreMany', { smart_count: chosen.length })}
                </Button>
                <Typography role="status" variant="body2" sx={{ color: 'text.secondary' }}>
                  {chosen.length > 0 && t('deletedPosts.selected', { smart_count: chosen.length })}
                </Typography>
              </Stack>
              <DataTable
                label={t('deletedPosts.table')}
                columns={columns}
                rows={rows}
                keyOf={({ id }) => id}
              />
              <CursorLinks cursors={cursors} />
            </>
          )
        }
      </Loaded>
      <PurgeDialog post={purging} onClose={() => setPurging(undefined)} />
    </Page>
  );
}

export function DeletedPostSearch({
  value,
  onSearch,
}: {
  value: string;
  onSearch: (value: string) => void;
}): ReactNode {
  const [typed, setTyped] = useState(value);
  return (
    <Stack
      component="form"
      role="search"
      direction="row"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
      sx={{ gap: 1, mb: 2, maxWidth: 480 }}
    >
      <TextField
        type="search"
        label={t('deletedPosts.search')}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" variant="outlined" sx={{ flexShrink: 0 }}>
        {t('deletedPosts.searchButton')}
      </Button>
    </Stack>
  );
}
