import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { type ReactNode, useRef } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { RevisionDto } from '../../history/post-history.controller.js';
import { hasStatus } from '../api/problem.js';
import { type ListRows, useListRows } from '../shell/list/list-rows.js';
import { Empty, Loaded } from '../shell/loaded.js';
import { useChangeParameters } from '../shell/list/url-filters.js';
import { Pages } from '../shell/list/pages.js';
import { Page } from '../shell/page.js';
import { quoted } from '../texts/texts.js';
import { Comparison } from './comparison.js';
import { HistoryActions } from './history-actions.js';
import { RevisionTable } from './revision-table.js';
import { revisionsPath, useNewestRevision } from './revision.js';

const LIMIT = 50;

/** All revisions of a post, also of a deleted one: what changed, when and by whom. A revision can be restored. */
export function PostHistory(): ReactNode {
  const postId = Number(useParams()['id']);
  const page = useListRows<RevisionDto>(revisionsPath(postId), { limit: LIMIT });
  const title = page.data?.rows[0]?.title;
  return (
    <Page
      title={title === undefined ? `History of post ${postId}` : `History of ${quoted(title)}`}
      heading={title !== undefined && <HistoryHeading postId={postId} title={title} />}
      actions={title !== undefined && <HistoryActions postId={postId} title={title} />}
    >
      {hasStatus(page.error, 404) ? (
        <Empty>There has never been a post with this id, or its history is gone for good.</Empty>
      ) : (
        <Loaded query={page}>{(data) => <Versions postId={postId} page={data} />}</Loaded>
      )}
    </Page>
  );
}

/** Links the title to the post if the post still exists. */
function HistoryHeading({ postId, title }: { postId: number; title: string }): ReactNode {
  const { data: newest } = useNewestRevision(postId);
  if (newest === undefined || newest.action === 'deleted') return `History of ${quoted(title)}`;
  return (
    <>
      History of “
      <MuiLink component={Link} to={`/posts/${postId}`} dir="auto" color="inherit" underline="always">
        {title}
      </MuiLink>
      ”
    </>
  );
}

function Versions({
  postId,
  page: { rows, cursors },
}: {
  postId: number;
  page: ListRows<RevisionDto>;
}): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const [search] = useSearchParams();
  const change = useChangeParameters();
  const newest = useNewestRevision(postId);

  /** The default revision to compare with: the previous one. */
  const before = (number: number): number | undefined =>
    rows.find((row) => row.number < number)?.number ?? (cursors.next === undefined ? undefined : number - 1);
  const to = numberIn(search, 'to') ?? rows[0]?.number;
  if (to === undefined)
    return <Empty>There has never been a post with this id, or its history is gone for good.</Empty>;
  const from = search.get('from') === 'none' ? undefined : (numberIn(search, 'from') ?? before(to));

  const choose = (older: number | undefined, newer: number): void =>
    change({ from: older ?? 'none', to: newer }, { keepsPlace: true });

  return (
    <>
      <Box component="section" aria-labelledby="comparison" sx={{ mb: 4 }}>
        <Typography
          variant="h2"
          id="comparison"
          ref={heading}
          tabIndex={-1}
          sx={{ mb: 1.5, outline: 'none' }}
        >
          {from === undefined ? `Version ${to}` : `From version ${from} to version ${to}`}
        </Typography>
        <Comparison postId={postId} revisions={rows} from={from} to={to} onChoose={choose} />
      </Box>
      <Box component="section" aria-labelledby="versions">
        <Typography variant="h2" id="versions" sx={{ mb: 1.5 }}>
          Versions
        </Typography>
        <RevisionTable
          postId={postId}
          revisions={rows}
          newest={newest.data}
          onCompare={({ number }) => {
            choose(before(number), number);
            heading.current?.focus();
          }}
        />
        <Pages cursors={cursors} shown={rows.length} limit={LIMIT} />
      </Box>
    </>
  );
}

function numberIn(search: URLSearchParams, name: string): number | undefined {
  const number = Number(search.get(name) ?? Number.NaN);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
