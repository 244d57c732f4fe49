import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../api/client.js';
import { useMay } from '../api/roles.js';
import { ABOUT } from '../changes/change-list.js';
import { failureText } from '../shell/failure.js';
import { List } from '../shell/list/list.js';
import { useListPage } from '../shell/list/list-page.js';
import { NOTHING, rowSelection, useSelection } from '../shell/list/selection.js';
import { SelectionBar } from '../shell/list/selection-bar.js';
import { useUrlFilters } from '../shell/list/url-filters.js';
import { notify } from '../shell/notices.js';
import { focusHeading, Page } from '../shell/page.js';
import { t } from '../texts/texts.js';
import { type DeletedPost, restorePosts } from './deleted-post.js';
import { deletedPostColumns } from './deleted-post-columns.js';
import { PurgeDialog } from './purge-dialog.js';

const LIMIT = 50;

export function DeletedPostList(): ReactNode {
  const may = useMay();
  const filters = useUrlFilters(['search']);
  const { search } = filters.values;
  const page = useListPage<DeletedPost>('admin/api/deleted-posts/', {
    limit: LIMIT,
    search: search || undefined,
  });
  const rows = page.data?.rows ?? [];
  const [selection, select] = useSelection(search);
  const [purging, setPurging] = useState<readonly DeletedPost[]>([]);
  const table = rowSelection(rows, selection, select);
  const chosen = rows.filter(table.isSelected);

  const restore = async (posts: readonly DeletedPost[]): Promise<void> => {
    try {
      await restorePosts(posts.map(({ id }) => id));
      notify(t('deletedPosts.restored', { smart_count: posts.length }));
    } catch (error) {
      notify(failureText(error), { type: 'error' });
    }
    select(NOTHING);
    await queryClient.invalidateQueries();
    focusHeading();
  };

  return (
    <Page title={t('deletedPosts.title')}>
      <Typography sx={ABOUT}>{t('deletedPosts.about')}</Typography>
      <List
        label={t('deletedPosts.table')}
        query={page}
        fields={[{ name: 'search', kind: 'search', label: t('deletedPosts.search') }]}
        filters={filters}
        empty={t('deletedPosts.empty')}
        columns={deletedPostColumns({
          onRestore: may('editor') ? (post) => void restore([post]) : undefined,
          onPurge: may('administrator') ? (post) => setPurging([post]) : undefined,
        })}
        keyOf={({ id }) => id}
        selection={may('editor') ? table : undefined}
        paging={{ limit: LIMIT }}
      />
      <SelectionBar selection={selection} onSelect={select} isPageSelected={false}>
        <Button size="small" variant="outlined" onClick={() => void restore(chosen)}>
          {t('deletedPosts.restoreMany', { smart_count: chosen.length })}
        </Button>
        {may('administrator') && (
          <Button size="small" variant="contained" color="error" onClick={() => setPurging(chosen)}>
            {t('deletedPosts.purgeMany')}
          </Button>
        )}
      </SelectionBar>
      {purging.length > 0 && (
        <PurgeDialog posts={purging} onClose={() => setPurging([])} onPurged={() => select(NOTHING)} />
      )}
    </Page>
  );
}
