import { Box, Link as MuiLink, Typography } from '@mui/material';
import { type ReactNode, useRef } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { RevisionDto } from '../../posts.controller.js';
import { KEYS } from '../api/keys.js';
import { hasStatus } from '../api/problem.js';
import { useListPath } from '../posts/list/list-path.js';
import { type ListRows, useListRows } from '../shell/list/list-rows.js';
import { Pages, usePlace } from '../shell/list/pages.js';
import { useChangeParameters } from '../shell/list/url-filters.js';
import { Empty, Loaded } from '../shell/loaded.js';
import { Page } from '../shell/page.js';
import { quoted } from '../texts/texts.js';
import { Comparison } from './comparison.js';
import { HistoryActions } from './history-actions.js';
import { revisionsPath, useNewestRevision } from './revision.js';
import { RevisionTable } from './revision-table.js';

const LIMIT = 50;

/** All revisions of a post, also of a deleted one: what changed, when and by whom. A revision can be restored. */
export function PostHistory(): ReactNode {
  const postId = Number(useParams()['id']);
  const page = useListRows<RevisionDto>(KEYS.revisions(postId), revisionsPath(postId), { limit: LIMIT });
  const { data: newest } = useNewestRevision(postId);
  const title = newest?.title ?? page.data?.rows[0]?.title;
  if (title === undefined) {
    return (
      <Page title={`History of post ${postId}`}>
        {hasStatus(page.error, 404) || page.data ? (
          <Empty>There has never been a post with this id, or its history is gone for good.</Empty>
        ) : (
          <Loaded query={page}>{() => null}</Loaded>
        )}
      </Page>
    );
  }
  return (
    <Page
      title={`History of ${quoted(title)}`}
      heading={newest && newest.action !== 'deleted' && <LinkedHeading postId={postId} title={title} />}
      actions={<HistoryActions postId={postId} title={title} />}
    >
      <Loaded query={page}>{(data) => <Versions postId={postId} page={data} newest={newest} />}</Loaded>
    </Page>
  );
}

/** Links the title to the post. */
function LinkedHeading({ postId, title }: { postId: number; title: string }): ReactNode {
  return (
    <>
      History of “
      <MuiLink
        component={Link}
        to={`/posts/${postId}`}
        state={{ list: useListPath() }}
        dir="auto"
        color="inherit"
        underline="always"
      >
        {title}
      </MuiLink>
      ”
    </>
  );
}

interface VersionsProps {
  readonly postId: number;
  readonly page: ListRows<RevisionDto>;
  readonly newest: RevisionDto | undefined;
}

function Versions({ postId, page: { rows, cursors }, newest }: VersionsProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const [search] = useSearchParams();
  const change = useChangeParameters();
  const { start } = usePlace();

  /** The version before, if it is kept. */
  const before = (number: number): number | undefined =>
    rows.find((row) => row.number < number)?.number ?? (cursors.next === undefined ? undefined : number - 1);
  const to = numberIn(search, 'to') ?? rows[0]?.number ?? 1;
  const from = before(to);

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
        <Comparison postId={postId} from={from} to={to} />
      </Box>
      <Box component="section" aria-labelledby="versions">
        <Typography variant="h2" id="versions" sx={{ mb: 1.5 }}>
          Versions
        </Typography>
        <RevisionTable
          postId={postId}
          revisions={rows}
          newest={newest}
          onCompare={({ number }) => {
            change({ to: number }, { keepsPlace: true });
            heading.current?.focus();
          }}
        />
        <Pages start={start} cursors={cursors} shown={rows.length} limit={LIMIT} />
      </Box>
    </>
  );
}

function numberIn(search: URLSearchParams, name: string): number | undefined {
  const number = Number(search.get(name) ?? Number.NaN);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
