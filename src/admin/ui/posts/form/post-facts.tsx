import { mdiArrowLeft } from '@mdi/js';
import { Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AuthorshipDto, PostContextDto } from '../../../revisions.controller.js';
import { jsonQuery } from '../../api/client.js';
import { KEYS } from '../../api/keys.js';
import type { Content } from '../../api/posts.js';
import { AuthorName } from '../../changes/change-columns.js';
import { Moment } from '../../time/moment.js';
import { BodyText } from '../body-text.js';
import { ListLink, useListPath } from '../list/list-link.js';

/** Links back to the list in its former state. */
export function BackToList(): ReactNode {
  return (
    <ListLink
      to={useListPath()}
      size="small"
      icon={mdiArrowLeft}
      sx={{ mb: 0.5, ml: -0.5, alignSelf: 'start' }}
    >
      All posts
    </ListLink>
  );
}

/** The id of a post, and who created and changed it, and when. */
export function PostFacts({ id, etag }: { id: number; etag: string }): ReactNode {
  const query = jsonQuery<PostContextDto>(KEYS.authorship(id, etag), `admin/api/posts/${id}/`);
  const { data } = useQuery({ ...query, gcTime: 0 });
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
