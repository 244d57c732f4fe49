import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { queryClient } from '../../api/client.js';
import { createPost, readPost, replacePost } from '../../api/post-requests.js';
import {
  type Content,
  contentWith,
  FIELDS,
  isSameContent,
  postKey,
  POST_LIST,
  type PostWithEtag,
} from '../../api/posts.js';
import { faultsByField, hasStatus } from '../../api/problem.js';
import { randomKey } from '../../api/random-key.js';
import { runBulk } from '../../shell/list/bulk.js';
import { notify, notifyFailure } from '../../shell/notices.js';
import { quoted } from '../../texts/texts.js';
import { isStorable } from '../../time/input.js';
import { useDrafts } from './drafts.js';

/** The action after a save. */
export type AfterSave = 'list' | 'another' | 'continue';

interface Save {
  readonly content: Content;
  /** The post to replace, as it was read; undefined to create one. */
  readonly on: PostWithEtag | undefined;
  readonly next: AfterSave;
}

/** Another user has saved the post since it was read. */
class ChangedMeanwhile extends Error {
  constructor(readonly theirs: PostWithEtag) {
    super('This post was changed by another user.');
  }
}

export type PostFormState = ReturnType<typeof usePostForm>;

/**
 * The state of the form: what is typed, and the last save. The post that it is based on is in the query cache; each save
 * sends its ETag.
 *
 * @param post as last read or saved; undefined for a new one
 */
export function usePostForm(
  post: PostWithEtag | undefined,
  initial: Content,
  onSaved: (saved: PostWithEtag, next: AfterSave) => void,
) {
  const [content, setContent] = useState(initial);
  const drafts = useDrafts(post, initial, content);
  const keyOf = useIdempotencyKey();

  const { mutate, reset, error, variables, isPending } = useMutation({
    mutationFn: async ({ content: wanted, on }: Save) => {
      if (on === undefined) return createPost(wanted, keyOf(wanted));
      try {
        return await replacePost(on.id, on.etag, wanted);
      } catch (refusal) {
        if (!hasStatus(refusal, 412)) throw refusal;
        throw new ChangedMeanwhile(await readPost(on.id));
      }
    },
    onSuccess: (saved, { content: sent, on, next }) => {
      drafts.remove();
      if (on !== undefined) rebase(saved);
      // The form keeps what the user typed during the save.
      setContent((typed) =>
        contentWith((field) => (typed[field] === sent[field] ? saved[field] : typed[field])),
      );
      notify(`${quoted(saved.title)} was ${on === undefined ? 'added' : 'saved'}.`);
      void queryClient.invalidateQueries({ queryKey: [POST_LIST] });
      onSaved(saved, next);
    },
    onError: (refusal) => focusField(FIELDS.find((field) => faultsOf(refusal)[field] !== undefined)),
  });
  const lastNext = variables?.next ?? 'list';
  const isDeleted = variables?.on !== undefined && hasStatus(error, 404);
  const theirs = error instanceof ChangedMeanwhile ? error.theirs : undefined;
  const found = faultsOf(error);
  const areAllShown = hasStatus(error, 400) && Object.keys(found).length === error.errors.length;

  const saveAgain = (on: PostWithEtag | undefined): void => {
    if (on) mutate({ content, on, next: lastNext });
  };

  return {
    content,
    change: (changed: Partial<Content>): void => setContent({ ...content, ...changed }),
    isDirty: !isSameContent(content, post ?? initial),
    isSaving: isPending,
    /** The service's faults of the fields, as long as they have the refused values. */
    faults: Object.fromEntries(
      Object.entries(found).filter(
        ([field]) => content[field as keyof Content] === variables?.content[field as keyof Content],
      ),
    ),
    /** An error that concerns no single field. */
    failure: error === null || theirs || isDeleted || areAllShown ? undefined : error,
    /** The post as another user has saved it meanwhile. */
    theirs,
    isDeleted,
    drafts,
    /** Loads the draft of an earlier visit into the form. */
    takeDraft: (): void => {
      const { offered } = drafts;
      if (offered === undefined) return;
      // If the post changed since the draft, the save reports a conflict.
      if (offered.base) rebase(offered.base);
      setContent(offered.content);
      drafts.withdrawOffer();
    },
    save: (next: AfterSave): void => {
      if (isStorable(content.pub_date)) mutate({ content, on: post, next });
      else focusField('pub_date');
    },
    /** Applies the resolution of a conflict on top of the stored post; saves it, or continues editing. */
    settle: (resolved: Content, stored: PostWithEtag, isSaved: boolean): void => {
      rebase(stored);
      setContent(resolved);
      if (isSaved) mutate({ content: resolved, on: stored, next: lastNext });
      else reset();
    },
    /** Restores a deleted post with the changes. */
    restore: (): void => {
      reset();
      if (post) void notifyFailure(restored(post.id).then(saveAgain));
    },
    createAgain: (): void =>
      mutate({ content, on: undefined, next: lastNext === 'continue' ? 'list' : lastNext }),
    /** Closes the dialog about a conflict. */
    forget: reset,
  };
}

/** Makes a post the one that the form is based on. */
function rebase(base: PostWithEtag): void {
  queryClient.setQueryData(postKey(base.id), base);
}

/** Restores a deleted post, to save it again; undefined if that failed. */
async function restored(id: number): Promise<PostWithEtag | undefined> {
  if (!(await runBulk('restorations', { ids: [id] }))) return undefined;
  const post = await readPost(id);
  rebase(post);
  return post;
}

function faultsOf(error: unknown): Partial<Content> {
  return hasStatus(error, 400) ? faultsByField(error.errors, FIELDS) : {};
}

function focusField(name: string | undefined): void {
  if (name !== undefined) document.querySelector<HTMLElement>(`form [name=${name}]`)?.focus();
}

/** Returns the key for a post to create. The same content gets the same key, so a retry creates nothing twice. */
function useIdempotencyKey(): (content: Content) => string {
  const last = useRef<{ readonly content: Content; readonly key: string }>(undefined);
  return (content) => {
    if (!last.current || !isSameContent(last.current.content, content)) {
      last.current = { content, key: randomKey() };
    }
    return last.current.key;
  };
}
