import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { readPost } from '../../api/post-requests.js';
import { useMay } from '../../api/roles.js';
import { contentOf, postKey, type PostWithEtag } from '../../api/posts.js';
import { hasStatus } from '../../api/problem.js';
import { HistoryActions } from '../../history/history-actions.js';
import { useNewestRevision } from '../../history/revision.js';
import { CopyIcon, DeleteIcon, HistoryIcon } from '../../shell/icons.js';
import { SETTLED } from '../../shell/leave-guard.js';
import { Loaded } from '../../shell/loaded.js';
import { Page } from '../../shell/page.js';
import { askToDelete } from '../deletion.js';
import { titleText } from '../list/post-columns.js';
import { useListPath } from '../list/use-list-view.js';
import { PostForm } from './post-form.js';
import { AbovePost, PostFacts, PostText } from './post-page.js';

/** The page of one post: edit, copy or delete it. */
export function PostEdit(): ReactNode {
  const id = Number(useParams()['id']);
  const query = useQuery({
    queryKey: postKey(id),
    queryFn: ({ signal }) => readPost(id, signal),
    // Read once per visit: what is typed is based on it. Only a save, or the choice in a conflict, replaces it.
    staleTime: 'static',
    gcTime: 0,
  });
  if (hasStatus(query.error, 404)) return <GonePost id={id} />;
  if (query.data !== undefined) return <LoadedPost key={id} post={query.data} />;
  return (
    <Page title={`Edit post ${id}`} width="text" above={<AbovePost />}>
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  );
}

function LoadedPost({ post }: { post: PostWithEtag }): ReactNode {
  const navigate = useNavigate();
  const [listPath] = useListPath();
  const mayEdit = useMay()('editor');
  const { id } = post;
  const [initial] = useState(() => contentOf(post));
  const leave = (): void => void navigate(listPath, SETTLED);

  return (
    <Page
      title={titleText(post.title)}
      width="text"
      above={<AbovePost id={id} etag={post.etag} />}
      actions={
        <>
          <Button component={Link} to={`/posts/${id}/history`} startIcon={<HistoryIcon />}>
            History
          </Button>
          {mayEdit && (
            <>
              <Button component={Link} to={`/posts/create?copy=${id}`} startIcon={<CopyIcon />}>
                Duplicate
              </Button>
              <Button color="error" startIcon={<DeleteIcon />} onClick={() => askToDelete(post, leave)}>
                Delete…
              </Button>
            </>
          )}
        </>
      }
    >
      <PostFacts id={id} etag={post.etag} />
      {mayEdit ? (
        <PostForm
          post={post}
          initial={initial}
          onSaved={(saved, then) => {
            if (saved.id !== id || then === 'list') leave();
            else if (then === 'another') void navigate('/posts/create', SETTLED);
          }}
        />
      ) : (
        <PostText post={post} />
      )}
    </Page>
  );
}

/** The page of a post that is not there: a deleted one can be restored here. */
function GonePost({ id }: { id: number }): ReactNode {
  const { data: newest } = useNewestRevision(id);
  const isDeleted = newest?.action === 'deleted';
  return (
    <Page
      title={isDeleted ? titleText(newest.title) : 'There is no such post'}
      width="text"
      above={<AbovePost />}
      actions={isDeleted && <HistoryActions postId={id} title={newest.title} />}
    >
      {isDeleted ? (
        <Button component={Link} to={`/posts/${id}/history`} startIcon={<HistoryIcon />}>
          History
        </Button>
      ) : (
        <Typography>It was deleted for good, or never existed.</Typography>
      )}
    </Page>
  );
}
