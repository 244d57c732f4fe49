import { mdiPlus, mdiTrayArrowDown } from '@mdi/js';
import { Button } from '@mui/material';
import { type ReactNode, useDeferredValue } from 'react';
import { useSearchParams } from 'react-router';
import { KEYS } from '../../api/keys.js';
import { type PostRow, POSTS_PATH, ROW_FIELDS } from '../../api/posts.js';
import { useMay } from '../../api/roles.js';
import { useDialog } from '../../shell/dialogs.js';
import { ListPage } from '../../shell/list/list-page.js';
import { useListRows } from '../../shell/list/list-rows.js';
import { type FilterField, useChangeParameters, useUrlFilters } from '../../shell/list/url-filters.js';
import { quoted } from '../../texts/texts.js';
import { useTimeZone } from '../../time/time-zone.js';
import { DeleteManyDialog } from '../deletion.js';
import { ListLink, useListPath } from './list-link.js';
import { filterOf, type ListFilters, PAGE_SIZES, readView } from './list-view.js';
import { postColumns, titleText } from './post-columns.js';
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
  const filter = filterOf(filters.values, useTimeZone());
  const query = { ...filter, ...view, fields: ROW_FIELDS };
  const page = useListRows<PostRow>(KEYS.postList, POSTS_PATH, query);
  const { data: count } = usePostCount(filter);
  const rows = page.data?.rows ?? [];
  const ids = rows.map(({ id }) => id);
  const excerpts = useDeferredValue(useExcerpts(ids, !page.isPlaceholderData).data);
  const [dialog, open] = useDialog();

  return (
    <ListPage
      title="Posts"
      actions={
        <>
          <ListLink icon={mdiTrayArrowDown} to={exportPath({ ...filter })}>
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
      columns={postColumns(filters.values.search, excerpts, useListPath())}
      sort={{ ordering: view.ordering, onSort: (ordering) => change({ ordering }) }}
      selecting={{
        filter,
        nameOf: ({ title }) => quoted(titleText(title)),
        render: (posts, selected, clear) => (
          <>
            <ListLink
              size="small"
              to={exportPath('filter' in posts ? { ...filter } : {})}
              {...('ids' in posts && { state: { ids: posts.ids } })}
            >
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
        sizes: { all: PAGE_SIZES, onChange: (size) => change({ limit: size }) },
      }}
      notice={dialog}
    />
  );
}

const ADD_LINK = (
  <ListLink variant="contained" icon={mdiPlus} to="/posts/create">
    Add post
  </ListLink>
);

/** Returns the path of the export page for a selection of posts. */
function exportPath(selection: Record<string, string>): string {
  return `/export?${new URLSearchParams(selection).toString()}`;
}
