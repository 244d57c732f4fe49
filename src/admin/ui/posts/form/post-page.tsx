import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { PostDto } from '../../../../posts/dto/post.dto.js';
import type { AuthorshipDto, PostContextDto } from '../../../posts.controller.js';
import { api } from '../../api/client.js';
import { AuthorName } from '../../changes/change-columns.js';
import { BackIcon, NextIcon, PreviousIcon } from '../../shell/icons.js';
import { Moment } from '../../time/moment.js';
import { useTimeZone } from '../../time/time-zone.js';
import { filterOf, readView } from '../list/list-view.js';
import { useListPath } from '../list/use-list-view.js';
import { BodyText } from '../body-text.js';

/** Reads the authors of a post, and its neighbours in the list from which it was opened. */
function usePostContext(id: number, etag: string): PostContextDto | undefined {
  const [listPath] = useListPath();
  const zone = useTimeZone();
  const list = new URL(listPath, 'http://list.invalid').searchParams;
  const get = (name: string): string => list.get(name) ?? '';
  const { id: _, ...filter } = filterOf({ search: get('search'), from: get('from'), to: get('to') }, zone);
  const query = { ...filter, ordering: readView(list).ordering };
  const { data } = useQuery({
    queryKey: ['post-context', id, etag, query],
    queryFn: ({ signal }) => api.json<PostContextDto>(`admin/api/posts/${id}/`, { query, signal }),
    gcTime: 0,
  });
  return data;
}

/** Links back to the list in its former state, and to the neighbouring posts. */
export function AbovePost({ id, etag }: { id?: number; etag?: string }): ReactNode {
  const [listPath] = useListPath();
  return (
    <Stack direction="row" sx={{ gap: 1, mb: 0.5, ml: -0.5, minHeight: 36 }}>
      <Button component={Link} to={listPath} size="small" startIcon={<BackIcon />}>
        All posts
      </Button>
      {id !== undefined && <Neighbours id={id} etag={etag ?? ''} />}
    </Stack>
  );
}

function Neighbours({ id, etag }: { id: number; etag: string }): ReactNode {
  const { previous = null, next = null } = usePostContext(id, etag) ?? {};
  return (
    <Stack component="nav" aria-label="Posts of the list" direction="row" sx={{ ml: 'auto' }}>
      {previous !== null && (
        <Button component={Link} to={`/posts/${previous}`} size="small" startIcon={<PreviousIcon />}>
          Previous
        </Button>
      )}
      {next !== null && (
        <Button component={Link} to={`/posts/${next}`} size="small" endIcon={<NextIcon />}>
          Next
        </Button>
      )}
    </Stack>
  );
}

/** The id of a post, and who created and changed it, and when. */
export function PostFacts({ id, etag }: { id: number; etag: string }): ReactNode {
  const { created = null, changed = null } = usePostContext(id, etag) ?? {};
  return (
    <Typography
      variant="body2"
      sx={{ color: 'text.secondary', mt: { xs: -0.5, sm: -2 }, mb: 2.5, minHeight: 22 }}
    >
      {`Post ${id}`}
      <Done label="created" deed={created} />
      <Done label="changed" deed={changed} />
    </Typography>
  );
}

function Done({ label, deed }: { label: string; deed: AuthorshipDto | null }): ReactNode {
  if (deed === null) return null;
  return (
    <>
      {` · ${label} `}
      <Moment at={deed.at} />
      {' by '}
      <AuthorName author={deed.author} />
    </>
  );
}

/** Shows a post to a user without the right to edit it. */
export function PostText({ post: { pub_date, body } }: { post: PostDto }): ReactNode {
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Moment at={pub_date} />
      <BodyText body={body} />
    </Stack>
  );
}
