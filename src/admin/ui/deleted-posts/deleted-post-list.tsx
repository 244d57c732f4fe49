import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import type { DeletedPostDto } from '../../history/deleted-posts.controller.js';
import { queryClient } from '../api/client.js';
import { useMay } from '../api/roles.js';
import { AuthorName, PostLink } from '../changes/change-columns.js';
import { actionColumn, momentColumn } from '../shell/list/columns.js';
import type { Column } from '../shell/list/data-table.js';
import { ListPage } from '../shell/list/list-page.js';
import { useListRows } from '../shell/list/list-rows.js';
import { NOTHING, rowSelection, useSelection } from '../shell/list/selection.js';
import { SelectionBar } from '../shell/list/selection-bar.js';
import { type FilterField, useUrlFilters } from '../shell/list/url-filters.js';
import { notify, notifyFailure } from '../shell/notices.js';
import { focusHeading } from '../shell/page.js';
import { useDialog } from '../shell/use-dialog.js';
import { t } from '../texts/texts.js';
import { restorePosts } from './deleted-post.js';
import { PurgeDialog } from './purge-dialog.js';

const LIMIT = 50;

const FIELDS = [
  { name: 'search', kind: 'search', label: t('deletedPosts.search') },
] as const satisfies FilterField<string>[];

export function DeletedPostList(): ReactNode {
  const may = useMay();
  const filters = useUrlFilters(FIELDS);
  const { search } = filters.values;
  const page = useListRows<DeletedPostDto>('admin/api/deleted-posts/', {
    limit: LIMIT,
    search: search || undefined,
  });
  const rows = page.data?.rows ?? [];
  const [selection, select] = useSelection(search);
  const [dialog, open] = useDialog();
  const table = rowSelection(rows, selection, select);
  const chosen = rows.filter(table.isSelected);

  const run = async (action: Promise<void>): Promise<void> => {
    await notifyFailure(action);
    select(NOTHING);
    await queryClient.invalidateQueries();
    focusHeading();
  };

  const purge = (posts: readonly DeletedPostDto[]): void =>
    open((close) => <PurgeDialog posts={posts} onClose={close} onPurged={() => select(NOTHING)} />);

  const columns: Column<DeletedPostDto>[] = [
    {
      id: 'title',
      label: t('fields.name.title'),
      isHeader: true,
      render: ({ id, title }) => (
        <span>
          <PostLink id={id} title={title} />
          <span className="more">{t('changes.onePost', { id })}</span>
        </span>
      ),
    },
    momentColumn('deleted', t('deletedPosts.deletedAt'), (post) => post.deleted_at),
    { id: 'author', label: t('deletedPosts.by'), render: ({ author }) => <AuthorName author={author} /> },
    momentColumn('published', t('deletedPosts.published'), (post) => post.pub_date),
    actionColumn((post) => [
      may('editor') && {
        label: t('deletedPosts.restore'),
        name: t('deletedPosts.restoreOne', { title: post.title }),
        run: () => void run(restore([post])),
      },
      may('administrator') && {
        label: t('deletedPosts.purge'),
        name: t('deletedPosts.purgeOne', { title: post.title }),
        isDangerous: true,
        run: () => purge([post]),
      },
    ]),
  ];
  return (
    <ListPage
      title={t('deletedPosts.title')}
      about={t('deletedPosts.about')}
      label={t('deletedPosts.table')}
      query={page}
      filters={filters}
      empty={t('deletedPosts.empty')}
      columns={may('editor') ? columns : columns.slice(0, -1)}
      selection={may('editor') ? table : undefined}
      paging={{ limit: LIMIT }}
    >
      <SelectionBar selection={selection} onSelect={select} isPageSelected={false}>
        <Button size="small" variant="outlined" onClick={() => void run(restore(chosen))}>
          {t('deletedPosts.restoreMany', { smart_count: chosen.length })}
        </Button>
        {may('administrator') && (
          <Button size="small" variant="contained" color="error" onClick={() => purge(chosen)}>
            {t('deletedPosts.purgeMany')}
          </Button>
        )}
      </SelectionBar>
      {dialog}
    </ListPage>
  );
}

async function restore(posts: readonly DeletedPostDto[]): Promise<void> {
  await restorePosts(posts.map(({ id }) => id));
  notify(t('deletedPosts.restored', { smart_count: posts.length }));
}
