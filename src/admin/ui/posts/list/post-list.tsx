import { mdiPlus, mdiTrayArrowDown } from '@mdi/js';
import { Button } from '@mui/material';
import { type ReactNode, useDeferredValue } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { useMay } from '../../api/roles.js';
import { useDialog } from '../../shell/dialogs.js';
import { Icon } from '../../shell/icon.js';
import { ListPage } from '../../shell/list/list-page.js';
import { type FilterField, useChangeParameters, useUrlFilters } from '../../shell/list/url-filters.js';
import { quoted } from '../../texts/texts.js';
import { useTimeZone } from '../../time/time-zone.js';
import { DeleteManyDialog } from '../deletion.js';
import { filterOf, type ListFilters, PAGE_SIZES, readView } from './list-view.js';
import { postColumns, titleText } from './post-columns.js';
import { useExcerpts, usePostCount, usePostPage } from './use-posts.js';

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
  const page = usePostPage(filter, view);
  const { data: count } = usePostCount(filter);
  const rows = page.data?.rows ?? [];
  const ids = rows.map(({ id }) => id);
  const excerpts = useDeferredValue(useExcerpts(ids, !page.isPlaceholderData).data);
  const { pathname, search } = useLocation();
  const list = pathname + search;
  const [dialog, open] = useDialog();

  return (
    <ListPage
      title="Posts"
      actions={
        <>
          <Button
            startIcon={<Icon path={mdiTrayArrowDown} />}
            component={Link}
            to={exportPath({ ...filter })}
          >
            Export…
          </Button>
          {mayEdit && <AddButton list={list} />}
        </>
      }
      label="Posts"
      query={page}
      filters={filters}
      empty="There are no posts yet."
      emptyAction={mayEdit && <AddButton list={list} />}
      columns={postColumns(filters.values.search, excerpts, list)}
      sort={{ ordering: view.ordering, onSort: (ordering) => change({ ordering }) }}
      selecting={{
        filter,
        nameOf: ({ title }) => quoted(titleText(title)),
        render: (posts, selected, clear) => (
          <>
            <Button
              size="small"
              component={Link}
              to={exportPath('filter' in posts ? { ...filter } : {})}
              state={'ids' in posts && { ids: posts.ids }}
            >
              Export…
            </Button>
            {mayEdit && (
              <Button
                size="small"
                variant="contained"
                color="error"
                onClick={() =>
                  open((close) => <DeleteManyDialog {...{ posts, close }} count={selected} onStart={clear} />)
                }
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

function AddButton({ list }: { list: string }): ReactNode {
  return (
    <Button
      variant="contained"
      startIcon={<Icon path={mdiPlus} />}
      component={Link}
      to="/posts/create"
      state={{ list }}
    >
      Add post
    </Button>
  );
}

/** Returns the path of the export page for a selection of posts. */
function exportPath(selection: Record<string, string>): string {
  return `/export?${new URLSearchParams(selection).toString()}`;
}
