import { mdiContentCopy, mdiDeleteOutline, mdiHistory } from '@mdi/js';
import { Alert, Button, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { KEYS } from '../../api/keys.js';
import { readPost } from '../../api/post-requests.js';
import { type Content, contentOf, contentWith, FIELD, type PostWithEtag } from '../../api/posts.js';
import { hasStatus } from '../../api/problem.js';
import { useMayStay } from '../../api/roles.js';
import { HistoryActions } from '../../history/history-actions.js';
import { useNewestRevision } from '../../history/revision.js';
import { useDialog } from '../../shell/dialogs.js';
import { Icon } from '../../shell/icon.js';
import { SETTLED } from '../../shell/leave-guard.js';
import { Loaded, useIsReady } from '../../shell/loaded.js';
import { Page } from '../../shell/page.js';
import { DeleteDialog } from '../deletion.js';
import { ListLink, type ListState, useListPath } from '../list/list-link.js';
import { titleText } from '../list/post-columns.js';
import { BackToList, PostFacts, PostText } from './post-facts.js';
import { PostForm } from './post-form.js';
import type { AfterSave } from './use-post-form.js';

interface PageState extends ListState {
  /** The form that stays while the address changes: after a new post was saved. */
  readonly form?: string;
}

/** The page of a post: a new one (`/posts/create`), a copy (`/posts/create?copy=7`), or a stored one. */
export function PostPage(): ReactNode {
  const navigate = useNavigate();
  const { id } = useParams();
  const location = useLocation();
  const { form: keptForm } = (location.state ?? {}) as PageState;
  const [parameters] = useSearchParams();
  const list = useListPath();
  const mayEdit = useMayStay('editor');
  const [created, setCreated] = useState<PostWithEtag>();
  const [dialog, open] = useDialog();
  const copied = id === undefined ? /^[1-9]\d*$/.exec(parameters.get('copy') ?? '')?.[0] : undefined;
  const source = Number(id ?? copied);
  const query = useQuery({
    queryKey: id === undefined ? KEYS.postToCopy(source) : KEYS.post(source),
    queryFn: ({ signal }) => readPost(source, signal),
    enabled: id !== undefined || copied !== undefined,
    initialData: () => (id !== undefined && created?.id === source ? created : undefined),
    // Read once per visit: what is typed is based on it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const isReady = useIsReady((id ?? copied) === undefined || query.data !== undefined);
  if (id !== undefined && hasStatus(query.error, 404)) return <GonePost id={source} />;
  if (!isReady) {
    return (
      <Page title={`Post ${source}`} width="text" above={<BackToList />}>
        <Loaded query={query}>{() => null}</Loaded>
      </Page>
    );
  }
  const post = id === undefined ? undefined : query.data;
  const initial = initialContent(post, query.data);
  const form = keptForm ?? id ?? location.key;
  const goTo = (path: string, state: PageState = {}, replace = false): void =>
    void navigate(path, { replace, state: { ...SETTLED, list, ...state } });
  const leave = (): void => void navigate(list, { state: SETTLED });
  const onSaved = (saved: PostWithEtag, after: AfterSave): void => {
    setCreated(saved);
    if (after === 'list') leave();
    else if (after === 'another') goTo('/posts/create');
    // The same form goes on, with the focus and all that is typed in it.
    else if (saved.id !== post?.id) goTo(`/posts/${saved.id}`, { form }, true);
  };

  const actions = post && (
    <>
      <HistoryLink id={post.id} />
      {mayEdit && (
        <>
          <ListLink to={`/posts/create?copy=${post.id}`} icon={mdiContentCopy}>
            Duplicate
          </ListLink>
          <Button
            color="error"
            startIcon={<Icon path={mdiDeleteOutline} />}
            onClick={() => open(<DeleteDialog post={post} onDeleted={leave} />)}
          >
            Delete…
          </Button>
        </>
      )}
    </>
  );

  return (
    <Page
      title={post ? titleText(post.title) : 'Add post'}
      width={mayEdit ? 'wide' : 'text'}
      isFilled
      above={<BackToList />}
      actions={actions}
    >
      {post && <PostFacts id={post.id} etag={post.etag} />}
      {copied !== undefined && (
        <Alert severity="info" variant="outlined" sx={{ mb: 2.5 }}>
          {`This is a copy of post ${copied}, not saved yet. It is dated when it is saved, unless you set a date.`}
        </Alert>
      )}
      {post && !mayEdit ? (
        <PostText post={post} />
      ) : (
        <PostForm key={form} post={post} initial={initial} onSaved={onSaved} />
      )}
      {dialog}
    </Page>
  );
}

const EMPTY = contentWith(() => '');

/** The first content of the form: that of the stored post, of the copied one, or none. */
function initialContent(post: PostWithEtag | undefined, copied: PostWithEtag | undefined): Content {
  if (post) return contentOf(post);
  return copied ? copyOf(copied) : EMPTY;
}

/** A copy gets its own date. */
function copyOf(post: PostWithEtag): Content {
  const content = contentOf(post);
  return contentWith((field) => (FIELD[field].kind === 'moment' ? '' : content[field]));
}

function HistoryLink({ id }: { id: number }): ReactNode {
  return (
    <ListLink to={`/posts/${id}/history`} icon={mdiHistory}>
      History
    </ListLink>
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
      above={<BackToList />}
      actions={isDeleted && <HistoryActions postId={id} title={newest.title} />}
    >
      {isDeleted ? (
        <HistoryLink id={id} />
      ) : (
        <Typography>It was deleted for good, or never existed.</Typography>
      )}
    </Page>
  );
}
