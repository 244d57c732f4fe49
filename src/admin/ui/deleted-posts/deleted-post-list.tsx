import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CountDto, DeletedPostDto } from '../../history/deleted-posts.controller.js';
import { api } from '../api/client.js';
import { useMay } from '../api/roles.js';
import { AuthorName, PostLink } from '../changes/change-columns.js';
import { type BulkSelection, runBulk } from '../shell/list/bulk.js';
import { actionColumn, momentColumn } from '../shell/list/columns.js';
import type { Column } from '../shell/list/data-table.js';
import { ListPage } from '../shell/list/list-page.js';
import { useListRows } from '../shell/list/list-rows.js';
import { NOTHING, rowSelection, useSelection } from '../shell/list/selection.js';
import { SelectionBar } from '../shell/list/selection-bar.js';
import { type FilterField, useUrlFilters } from '../shell/list/url-filters.js';
import { focusHeading } from '../shell/page.js';
import { useDialog } from '../shell/use-dialog.js';
import { numberText } from '../texts/numbers.js';
import { plural, quoted } from '../texts/texts.js';
import { PurgeDialog } from './purge-dialog.js';

const PATH = 'admin/api/deleted-posts/';
const LIMIT = 50;

const FIELDS = [
  { name: 'search', kind: 'search', label: 'Search in titles' },
] as const satisfies FilterField<string>[];

export function DeletedPostList(): ReactNode {
  const may = useMay();
  const filters = useUrlFilters(FIELDS);
  const { search } = filters.values;
  const page = useListRows<DeletedPostDto>(PATH, {
    limit: LIMIT,
    search: search || undefined,
  });
  const rows = page.data?.rows ?? [];
  const [selection, select] = useSelection(search);
  const [dialog, open] = useDialog();
  const table = rowSelection(rows, selection, select);
  const { data: counted } = useQuery({
    queryKey: [PATH, 'count', search],
    queryFn: ({ signal }) =>
      api.json<CountDto>(`${PATH}count/`, { query: { search: search || undefined }, signal }),
  });
  const chosen: BulkSelection =
    selection.kind === 'all'
      ? { filter: { ...(search && { search }) }, count: counted?.count ?? 0 }
      : { ids: [...selection.ids] };
  const chosenCount = selection.kind === 'all' ? (counted?.count ?? 0) : selection.ids.size;

  const restore = async (posts: BulkSelection): Promise<void> => {
    select(NOTHING);
    await runBulk('restorations', posts);
    focusHeading();
  };
  const purge = (posts: BulkSelection, count: number, title?: string): void =>
    open((close) => (
      <PurgeDialog
        selection={posts}
        count={count}
        title={title}
        onClose={close}
        onPurged={() => select(NOTHING)}
      />
    ));

  const columns: Column<DeletedPostDto>[] = [
    {
      id: 'title',
      label: 'Title',
      isHeader: true,
      render: ({ id, title }) => (
        <span>
          <PostLink id={id} title={title} />
          <span className="more">{`Post ${id}`}</span>
        </span>
      ),
    },
    momentColumn('deleted', 'Deleted', (post) => post.deleted_at),
    { id: 'author', label: 'By', render: ({ author }) => <AuthorName author={author} /> },
    momentColumn('published', 'Published', (post) => post.pub_date),
    actionColumn((post) => [
      may('editor') && {
        label: 'Restore',
        name: `Restore ${quoted(post.title)}`,
        run: () => void restore({ ids: [post.id] }),
      },
      may('administrator') && {
        label: 'Delete for good',
        name: `Delete for good: ${quoted(post.title)}`,
        isDangerous: true,
        run: () => purge({ ids: [post.id] }, 1, post.title),
      },
    ]),
  ];
  return (
    <ListPage
      title="Deleted posts"
      about="Deleted posts are kept with their history. They can be restored under the same id, or deleted for good."
      label="Deleted posts, the last deleted first"
      query={page}
      filters={filters}
      empty="There are no deleted posts."
      columns={may('editor') ? columns : columns.slice(0, -1)}
      selection={may('editor') ? table : undefined}
      isCounted
      paging={{ limit: LIMIT, count: counted?.count }}
    >
      <SelectionBar
        selection={selection}
        onSelect={select}
        count={counted?.count}
        isPageSelected={rows.length > 0 && rows.every(table.isSelected)}
      >
        <Button size="small" variant="outlined" onClick={() => void restore(chosen)}>
          {plural(chosenCount, 'Restore 1 post', `Restore ${numberText(chosenCount)} posts`)}
        </Button>
        {may('administrator') && (
          <Button
            size="small"
            variant="contained"
            color="error"
            onClick={() => purge(chosen, chosenCount, rows.find(table.isSelected)?.title)}
          >
            Delete for good…
          </Button>
        )}
      </SelectionBar>
      {dialog}
    </ListPage>
  );
}
