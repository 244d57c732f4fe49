import Alert from '@mui/material/Alert';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { readPost } from '../../api/post-requests.js';
import { type Content, contentWith, FIELD } from '../../api/posts.js';
import { SETTLED } from '../../shell/leave-guard.js';
import { Loaded } from '../../shell/loaded.js';
import { Page } from '../../shell/page.js';
import { useListPath } from '../list/use-list-view.js';
import { PostForm } from './post-form.js';
import { AbovePost } from './post-page.js';

const EMPTY = contentWith(() => '');

/** The page of a new post, empty or as a copy: `?copy=7`. */
export function PostCreate(): ReactNode {
  const navigate = useNavigate();
  const [listPath] = useListPath();
  const [parameters] = useSearchParams();
  const [round, setRound] = useState(0);
  const copied = /^[1-9]\d*$/.exec(parameters.get('copy') ?? '')?.[0];
  const original = useQuery({
    queryKey: ['post-to-copy', copied],
    queryFn: ({ signal }) => readPost(Number(copied), signal),
    enabled: copied !== undefined,
    gcTime: 0,
    staleTime: 'static',
  });
  const formWith = (initial: Content): ReactNode => (
    <PostForm
      key={`${copied ?? ''} ${round}`}
      initial={initial}
      onSaved={(saved, then) => {
        if (then === 'list') void navigate(listPath, SETTLED);
        else if (then === 'continue') void navigate(`/posts/${saved.id}`, SETTLED);
        else {
          void navigate('/posts/create', SETTLED);
          setRound(round + 1);
        }
      }}
    />
  );
  return (
    <Page title="Add post" width="text" above={<AbovePost />}>
      {copied === undefined ? (
        formWith(EMPTY)
      ) : (
        <>
          <Alert severity="info" variant="outlined" sx={{ mb: 2.5 }}>
            {`This is a copy of post ${copied}, not saved yet. It is dated when it is saved, unless you set a date.`}
          </Alert>
          <Loaded query={original}>{(post) => formWith(copyOf(post))}</Loaded>
        </>
      )}
    </Page>
  );
}

/** A copy gets its own date. */
function copyOf(post: Content): Content {
  return contentWith((field) => (FIELD[field].kind === 'moment' ? '' : post[field]));
}
