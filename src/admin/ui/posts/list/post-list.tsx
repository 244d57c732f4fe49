import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useMay } from '../../api/roles.js';
import { AddIcon, ExportIcon } from '../../shell/icons.js';
import { useKey } from '../../shell/keys.js';
import { ListPage } from '../../shell/list/list-page.js';
import { type FilterField, useUrlFilters } from '../../shell/list/url-filters.js';
import { quoted } from '../../texts/texts.js';
import { useTimeZone } from '../../time/time-zone.js';
import { askToDeleteMany } from '../deletion.js';
import { ColumnMenu } from './column-menu.js';
import { filterOf, type ListFilters, orderingBy, PAGE_SIZES } from './list-view.js';
import { Months } from './months.js';
import { postColumns, titleText } from './post-columns.js';
import { useListPath, useListView } from './use-list-view.js';
import { useExcerpts, usePostCount, usePostOfNumber, usePostPage } from './use-posts.js';

const FIELDS: readonly FilterField<keyof ListFilters>[] = [
  { name: 'search', kind: 'search', label: 'Search title and body' },
  { name: 'from', kind: 'day', label: 'From' },
  { name: 'to', kind: 'day', label: 'To' },
];

/** The list of posts. */
export function PostList(): ReactNode {
  const mayEdit = useMay()('editor');
  const [view, change] = useListView();
  const filters = useUrlFilters(FIELDS);
  const filter = filterOf(filters.values, useTimeZone());
  const page = usePostPage(filter, view);
  const { data: count } = usePostCount(filter);
  const rows = page.data?.rows ?? [];
  const ids = rows.map(({ id }) => id);
  const { data: excerpts } = useExcerpts(
    ids,
    filter.search,
    view.columns.includes('excerpt') && !page.isPlaceholderData,
  );
  useRememberedPath();

  const { ordering, limit, columns } = view;
  return (
    <ListPage
      title="Posts"
      actions={
        <>
          <Button startIcon={<ExportIcon />} component={Link} to={exportPath({ ...filter })}>
            Export…
          </Button>
          {mayEdit && <AddButton />}
        </>
      }
      label="Posts"
      query={page}
      filters={filters}
      empty="There are no posts yet."
      emptyAction={mayEdit && <AddButton />}
      columns={postColumns(columns, filters.values.search, excerpts)}
      sort={{
        columns: ['id', 'title', 'pub_date'],
        by: ordering.replace('-', ''),
        order: ordering.startsWith('-') ? 'DESC' : 'ASC',
        onSort: (column) => change({ ordering: orderingBy(column, ordering) }),
      }}
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
                onClick={() => askToDeleteMany(posts, selected, clear)}
              >
                Delete…
              </Button>
            )}
          </>
        ),
      }}
      isCounted
      paging={{ limit, count, sizes: { all: PAGE_SIZES, onChange: (size) => change({ limit: size }) } }}
      tools={<ColumnMenu columns={columns} onChange={(chosen) => change({ columns: chosen })} />}
      narrowing={<Months state={filters.values} change={filters.apply} />}
      notice={<PostOfNumber search={filters.values.search} />}
    />
  );
}

function AddButton(): ReactNode {
  const navigate = useNavigate();
  useKey('n', 'Add a post', () => void navigate('/posts/create'));
  return (
    <Button variant="contained" startIcon={<AddIcon />} component={Link} to="/posts/create">
      Add post
    </Button>
  );
}

/** A number may be a word in posts or an id. The post with that id is offered beside the matches. */
function PostOfNumber({ search }: { search: string }): ReactNode {
  const post = usePostOfNumber(search);
  if (post === undefined) return null;
  return (
    <Alert severity="info" variant="outlined" sx={{ mb: 1.5 }}>
      {`Post ${post.id} is`}{' '}
      <MuiLink component={Link} to={`/posts/${post.id}`} dir="auto">
        {titleText(post.title)}
      </MuiLink>
    </Alert>
  );
}

function useRememberedPath(): void {
  const { pathname, search } = useLocation();
  const [, setPath] = useListPath();
  useEffect(() => setPath(pathname + search), [pathname, search, setPath]);
}

/** Returns the path of the export page for a selection of posts. */
function exportPath(selection: Record<string, string>): string {
  return `/export?${new URLSearchParams(selection).toString()}`;
}
