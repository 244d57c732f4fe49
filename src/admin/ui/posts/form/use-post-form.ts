import { useRef } from 'react';
import { randomKey } from '../../api/api.js';
import { queryClient } from '../../api/client.js';
import { KEYS } from '../../api/keys.js';
import { createPost, readPost, replacePost } from '../../api/post-requests.js';
import {
  type Content,
  contentOf,
  contentWith,
  FIELD,
  FIELDS,
  isSameContent,
  type PostWithEtag,
} from '../../api/posts.js';
import { hasStatus, Problem, Unreachable } from '../../api/problem.js';
import { useForm } from '../../shell/form.js';
import { notify } from '../../shell/notices.js';
import { quoted } from '../../texts/texts.js';
import { useDrafts } from './drafts.js';

export type AfterSave = 'list' | 'another' | 'continue';

interface Next {
  /** The post to replace, as it was read; undefined to create one. */
  readonly on: PostWithEtag | undefined;
  readonly after: AfterSave;
}

interface Attempt {
  readonly content: Content;
  /** The `Idempotency-Key`. */
  readonly key: string;
}

/** Another user has saved the post since it was read. */
class ChangedMeanwhile extends Error {
  constructor(readonly theirs: PostWithEtag) {
    super('This post was changed by another user.');
  }
}

const DELETED = new Error(
  'This post was deleted meanwhile. Your text is still here: restore the post in another tab, or save the text as a new post.',
);

/**
 * The form of a post, its saves and their conflicts. The post that it is based on is in the query cache; each save sends
 * its ETag.
 *
 * @param post as last read or saved; undefined for a new one
 */
export function usePostForm(
  post: PostWithEtag | undefined,
  initial: Content,
  onSaved: (saved: PostWithEtag, after: AfterSave) => void,
) {
  /** What was sent since the last response. The service may have stored it. */
  const doubtful = useRef<readonly Attempt[]>([]);

  const send = async (content: Content, { on }: Next): Promise<PostWithEtag> => {
    const attempt = { content, key: randomKey() };
    try {
      return on === undefined ? await createOnce(attempt) : await replaceOnce(on, content);
    } catch (error) {
      if (error instanceof Unreachable || (error instanceof Problem && error.status >= 500)) {
        doubtful.current = [...doubtful.current, attempt];
      }
      throw error;
    }
  };
  const createOnce = async (attempt: Attempt): Promise<PostWithEtag> => {
    // The same request again says which post it was, if any.
    const [first = attempt] = doubtful.current;
    const created = await createPost(first.content, first.key).catch((error: unknown) => {
      if (first === attempt || !hasStatus(error, 400)) throw error;
      doubtful.current = [];
    });
    if (!created) return createPost(attempt.content, attempt.key);
    return isSameContent(first.content, attempt.content) ? created : replaceOnce(created, attempt.content);
  };
  const replaceOnce = async (on: PostWithEtag, content: Content): Promise<PostWithEtag> => {
    try {
      return await replacePost(on.id, on.etag, content);
    } catch (refusal) {
      if (!hasStatus(refusal, 412)) throw refusal;
      const stored = await readPost(on.id);
      const sent = [content, ...doubtful.current.map((attempt) => attempt.content)];
      const isOwn = sent.some((each) => isStoredAs(stored, each, on));
      if (isOwn) return replacePost(on.id, stored.etag, content);
      throw new ChangedMeanwhile(stored);
    }
  };
  const form = useForm<keyof Content, Next, PostWithEtag>({
    initial,
    stored: post,
    send,
    onSent: (saved, { values: sent, next: { on, after } }, meanwhile) => {
      doubtful.current = [];
      drafts.remove();
      if (on !== undefined) rebase(saved);
      const isKept = meanwhile === 'changed' && after !== 'continue';
      notify(
        `${quoted(saved.title)} was ${on === undefined ? 'added' : 'saved'}.` +
          (isKept ? ' Later changes are not saved yet.' : ''),
      );
      void queryClient.invalidateQueries({ queryKey: KEYS.posts });
      if (meanwhile === 'left') return;
      // A half-typed date stays as it is.
      if (!form.isPartial) form.change(withStored(form.values, sent, saved));
      onSaved(saved, meanwhile === 'changed' ? 'continue' : after);
    },
  });
  const { error, values: content, sent } = form;
  const drafts = useDrafts(post, initial, content);
  const lastAfter = sent?.next.after ?? 'list';
  const isDeleted = sent?.next.on !== undefined && hasStatus(error, 404);
  const theirs = error instanceof ChangedMeanwhile ? error.theirs : undefined;
  let { failure } = form;
  if (isDeleted) failure = DELETED;
  if (theirs) failure = null;

  return {
    ...form,
    /** An error that concerns no single field, and no newer version. */
    failure,
    /** The post as another user has saved it meanwhile. */
    theirs,
    isDeleted,
    drafts,
    takeDraft: (): void => {
      const draft = drafts.offered;
      if (draft === undefined) return;
      drafts.settle();
      // If the post changed since the draft, the save reports a conflict.
      if (draft.base) rebase(draft.base);
      form.change(draft.content);
      // The buttons of the offer go.
      form.focus(FIELDS[0]);
    },
    discardDraft: (): void => {
      drafts.settle();
      form.focus(FIELDS[0]);
    },
    save: (after: AfterSave): void => form.submit({ on: post, after }),
    /** Applies the resolution of a conflict on top of the stored post; saves it, or continues editing. */
    settle: (resolved: Content, stored: PostWithEtag, isSaved: boolean): void => {
      rebase(stored);
      form.change(resolved);
      if (isSaved) form.submit({ on: stored, after: lastAfter }, resolved);
      else form.reset();
    },
    createAgain: (): void => form.submit({ on: undefined, after: lastAfter }),
  };
}

/** Takes the stored value of each field that has not changed since it was sent: the service fills in the date. */
function withStored(typed: Content, sent: Content, saved: PostWithEtag): Content {
  const stored = contentOf(saved);
  return contentWith((field) => (typed[field] === sent[field] ? stored[field] : typed[field]));
}

/** Whether a post has the content that was sent to replace another state of it. Without a date, it has kept its own. */
function isStoredAs(stored: PostWithEtag, sent: Content, on: PostWithEtag): boolean {
  const before = contentOf(on);
  const whole = contentWith((field) =>
    FIELD[field].kind === 'moment' && sent[field] === '' ? before[field] : sent[field],
  );
  return isSameContent(contentOf(stored), whole);
}

/** Makes a post the one that the form is based on. */
function rebase(base: PostWithEtag): void {
  queryClient.setQueryData(KEYS.post(base.id), base);
}
