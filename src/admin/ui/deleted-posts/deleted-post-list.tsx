import { Button } from '@mui/material';
import { type ReactNode, useMemo } from 'react';
import type { DeletedPostDto } from '../../deleted-posts.controller.js';
import { KEYS } from '../api/keys.js';
import { FIELD } from '../api/posts.js';
import { useMay } from '../api/roles.js';
import { AuthorName, PostLink } from '../changes/change-columns.js';
import { PurgeDialog } from '../posts/deletion.js';
import { type OpenDialog, useDialog } from '../shell/dialogs.js';
import { type BulkSelection, runBulk } from '../shell/list/bulk.js';
import { actionColumn, momentColumn } from '../shell/list/columns.js';
import { CLASS, type Column } from '../shell/list/data-table.js';
import { ListPage } from '../shell/list/list-page.js';
import { readIds, useCount, useListRows } from '../shell/list/list-rows.js';
import type { Selecting } from '../shell/list/selection.js';
import { type FilterField, useUrlFilters } from '../shell/list/url-filters.js';
import { counted, quoted } from '../texts/texts.js';

const PATH = 'admin/api/deleted-posts/';
const LIMIT = 50;

const FILTERS = [
  { name: 'search', kind: 'search', label: 'Search in titles' },
] as const satisfies FilterField<string>[];

export function DeletedPostList(): ReactNode {
  const may = useMay();
  const [mayRestore, mayPurge] = [may('editor'), may('administrator')];
  const filters = useUrlFilters(FILTERS);
  const filter = filters.values;
  const page = useListRows<DeletedPostDto>(KEYS.deletedPosts, PATH, { limit: LIMIT, ...filter });
  const [dialog, open] = useDialog();
  const columns = useMemo(
    () => (mayRestore ? [...COLUMNS, actionsColumn(mayPurge, open)] : COLUMNS),
    [mayRestore, mayPurge, open],
  );
  const purge = (posts: BulkSelection, count: number, clear: () => void): void => {
    const title = 'ids' in posts ? page.data?.rows.find(({ id }) => id === posts.ids[0])?.title : undefined;
    open(<PurgeDialog {...{ posts, count, title }} onStart={clear} />);
  };
  const selecting: Selecting<DeletedPostDto> = {
    filter,
    nameOf: ({ title }) => quoted(title),
    readIds: () => readIds(PATH, filter),
    render: (posts, count, clear) => (
      <>
        <Button
          size="small"
          variant="outlined"
          onClick={() => {
            clear();
            void runBulk('restorations', posts);
          }}
        >
          {`Restore ${counted(count, 'post')}`}
        </Button>
        {mayPurge && (
          <Button size="small" variant="contained" color="error" onClick={() => purge(posts, count, clear)}>
            Delete for good…
          </Button>
        )}
      </>
    ),
  };
  return (
    <ListPage
      title="Deleted posts"
      notice={dialog}
      about="Deleted posts are kept with their history. They can be restored under the same id, or deleted for good."
      label="Deleted posts, the last deleted first"
      query={page}
      filters={filters}
      empty="There are no deleted posts."
      columns={columns}
      isCounted
      count={useCount(KEYS.deletedPosts, PATH, filter)}
      paging={{ limit: LIMIT }}
      selecting={mayRestore ? selecting : undefined}
    />
  );
}

const COLUMNS: readonly Column<DeletedPostDto>[] = [
  {
    label: 'Title',
    width: '40%',
    isHeader: true,
    render: ({ id, title }) => (
      <span>
        <PostLink id={id} title={title} />
        <span className={CLASS.more}>{`Post ${id}`}</span>
      </span>
    ),
  },
  momentColumn('Deleted', (post) => post.deleted_at),
  { label: 'By', render: ({ author }) => <AuthorName author={author} /> },
  momentColumn(FIELD.pub_date.label, (post) => post.pub_date),
];

function actionsColumn(mayPurge: boolean, open: OpenDialog): Column<DeletedPostDto> {
  return actionColumn(
    ({ title }) => quoted(title),
    ({ id, title }, deselect) => {
      const posts = { ids: [id] };
      return [
        {
          label: 'Restore',
          run: () => {
            deselect();
            void runBulk('restorations', posts);
          },
        },
        mayPurge && {
          label: 'Delete for good',
          isDangerous: true,
          run: () => open(<PurgeDialog {...{ posts, title }} count={1} onStart={deselect} />),
        },
      ];
    },
  );
}
