import { mdiArrowLeft } from '@mdi/js';
import { Button, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { AuthorshipDto, PostContextDto } from '../../../posts.controller.js';
import { api } from '../../api/client.js';
import { KEYS } from '../../api/keys.js';
import type { Content } from '../../api/posts.js';
import { AuthorName } from '../../changes/change-columns.js';
import { Icon } from '../../shell/icon.js';
import { Moment } from '../../time/moment.js';
import { BodyText } from '../body-text.js';
import { useListPath } from '../list/list-path.js';

/** Links back to the list in its former state. */
export function BackToList(): ReactNode {
  return (
    <Button
      component={Link}
      to={useListPath()}
      size="small"
      startIcon={<Icon path={mdiArrowLeft} />}
      sx={{ mb: 0.5, ml: -0.5, alignSelf: 'start' }}
    >
      All posts
    </Button>
  );
}

/** The id of a post, and who created and changed it, and when. */
export function PostFacts({ id, etag }: { id: number; etag: string }): ReactNode {
  const { data } = useQuery({
    queryKey: KEYS.authorship(id, etag),
    queryFn: ({ signal }) => api.json<PostContextDto>(`admin/api/posts/${id}/`, { signal }),
    gcTime: 0,
  });
  const { created = null, changed = null } = data ?? {};
  return (
    <Typography
      variant="body2"
      sx={{ color: 'text.secondary', mt: { xs: -0.5, md: -2 }, mb: 2.5, minHeight: 22 }}
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
    <span>
      {` · ${label} `}
      <Moment at={deed.at} />
      {' by '}
      <AuthorName author={deed.author} />
    </span>
  );
}

/** Shows a post to a user without the right to edit it. */
export function PostText({ post: { pub_date, body } }: { post: Content }): ReactNode {
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Moment at={pub_date} />
      <BodyText body={body} />
    </Stack>
  );
}
