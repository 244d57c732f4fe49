import { mdiPlus, mdiTrayArrowDown } from '@mdi/js';
import { Button } from '@mui/material';
import { type ReactNode, useDeferredValue, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { KEYS } from '../../api/keys.js';
import { type PostRow, POSTS_PATH, ROW_FIELDS } from '../../api/posts.js';
import { useMay } from '../../api/roles.js';
import { type OpenDialog, useDialog } from '../../shell/dialogs.js';
import type { Column } from '../../shell/list/data-table.js';
import { ListPage } from '../../shell/list/list-page.js';
import { readIds, useListRows } from '../../shell/list/list-rows.js';
import { menuColumn } from '../../shell/list/row-menu.js';
import { type FilterField, useChangeParameters, useUrlFilters } from '../../shell/list/url-filters.js';
import { quoted } from '../../texts/texts.js';
import { DeleteDialog, DeleteManyDialog } from '../deletion.js';
import { exportPath } from '../../export/export-selection.js';
import { ListLink, type ListState, useListPath } from './list-link.js';
import { filterOf, type ListFilters, PAGE_SIZES, readView } from './list-view.js';
import { Excerpts, postColumns, titleText } from './post-columns.js';
import { useExcerpts, usePostCount } from './use-posts.js';

const FIELDS: readonly FilterField<keyof ListFilters>[] = [
  { name: 'search', kind: 'search', label: 'Search title and body' },
  { name: 'from', kind: 'day', label: 'From' },
  { name: 'to', kind: 'day', label: 'To' },
];

export function PostList(): ReactNode {
  const mayEdit = useMay()('editor');
  const view = readView(useSearchParams()[0]);
  const change = useChangeParameters();
  const filters = useUrlFilters(FIELDS);
  const filter = filterOf(filters.values, filters.zone);
  const query = { ...filter, ...view, fields: ROW_FIELDS };
  const page = useListRows<PostRow>(KEYS.postList, POSTS_PATH, query, true);
  const { data: count } = usePostCount(filter);
  const rows = page.data?.rows ?? [];
  const ids = rows.map(({ id }) => id);
  const excerpts = useDeferredValue(useExcerpts(ids, !page.isPlaceholderData).data);
  const [dialog, open] = useDialog();
  // Deferred: a click shows at once that other rows are loading, and these are rendered again in slices of time.
  const list = useDeferredValue(useListPath());
  const search = useDeferredValue(filters.values.search);
  const columns = useMemo(
    () => [...postColumns(search, list), actionsColumn(mayEdit, list, open)],
    [search, list, mayEdit, open],
  );

  return (
    <Excerpts value={excerpts}>
      <ListPage
        title="Posts"
        actions={
          <>
            <ListLink icon={mdiTrayArrowDown} to={exportPath(filter)}>
              Export…
            </ListLink>
            {mayEdit && ADD_LINK}
          </>
        }
        label="Posts"
        query={page}
        filters={filters}
        empty="There are no posts yet."
        emptyAction={mayEdit && ADD_LINK}
        columns={columns}
        hasFixedWidths
        sort={{ ordering: view.ordering, onSort: (ordering) => change({ ordering }) }}
        selecting={{
          filter,
          nameOf: ({ title }) => quoted(titleText(title)),
          readIds: () => readIds(POSTS_PATH, { ...filter, fields: 'id' }),
          render: (posts, selected, clear) => (
            <>
              <ListLink size="small" to={exportPath('ids' in posts ? { id: posts.ids.join(',') } : filter)}>
                Export…
              </ListLink>
              {mayEdit && (
                <Button
                  size="small"
                  variant="contained"
                  color="error"
                  onClick={() => open(<DeleteManyDialog posts={posts} count={selected} onStart={clear} />)}
                >
                  Delete…
                </Button>
              )}
            </>
          ),
        }}
        isCounted
        count={count}
        paging={{
          limit: view.limit,
          isNumbered: true,
          sizes: { all: PAGE_SIZES, onChange: (size) => change({ limit: size }) },
        }}
        notice={dialog}
      />
    </Excerpts>
  );
}

/** The menu of each row. @param list the path to come back to */
function actionsColumn(mayEdit: boolean, list: string, open: OpenDialog): Column<PostRow> {
  const state = { list } satisfies ListState;
  return menuColumn(
    ({ title }) => quoted(titleText(title)),
    (post) => [
      { label: mayEdit ? 'Edit' : 'Show', to: `/posts/${post.id}`, state },
      mayEdit && { label: 'Duplicate', to: `/posts/create?copy=${post.id}`, state },
      { label: 'History', to: `/posts/${post.id}/history`, state },
      mayEdit && {
        label: 'Delete…',
        isDangerous: true,
        run: () => open(<DeleteDialog post={post} onDeleted={() => undefined} />),
      },
    ],
  );
}

const ADD_LINK = (
  <ListLink variant="contained" icon={mdiPlus} to="/posts/create">
    Add post
  </ListLink>
);
