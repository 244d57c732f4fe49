import { useEffect, useState } from 'react';
import { type Control, useForm } from 'react-hook-form';
import { queryClient } from '../../api/client.js';
import { useIdempotencyKey } from '../../api/idempotency-key.js';
import { createPost, readPost, replacePost } from '../../api/post-requests.js';
import {
  type Content,
  contentOf,
  type Field,
  FIELDS,
  POSTS_PATH,
  type PostWithEtag,
} from '../../api/posts.js';
import { faultsByField, hasStatus } from '../../api/problem.js';
import { runBulk } from '../../shell/list/bulk.js';
import { notify } from '../../shell/notices.js';
import { quoted } from '../../texts/texts.js';
import { type Drafts, useDrafts } from './drafts.js';
import type { AfterSave } from './form-actions.js';

/** A conflict that prevents a save: the post was changed or deleted. */
export type SaveConflict =
  | {
      readonly kind: 'changed';
      readonly base: Content;
      readonly mine: Content;
      readonly theirs: PostWithEtag;
    }
  | { readonly kind: 'deleted' };

export interface PostFormState {
  readonly control: Control<Content>;
  /** The post as last read or saved. */
  readonly base: PostWithEtag | undefined;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  /** An error that concerns no single field. */
  readonly failure: unknown;
  readonly faultyFields: number;
  readonly conflict: SaveConflict | undefined;
  readonly drafts: Drafts;
  /** Loads the draft of an earlier visit into the form. */
  readonly takeDraft: () => void;
  readonly save: (then: AfterSave) => Promise<void>;
  /** Applies the resolution of a conflict on top of the stored post; saves it, or continues editing. */
  readonly settle: (content: Content, theirs: PostWithEtag, isSaved: boolean) => Promise<void>;
  readonly restore: () => Promise<void>;
  readonly createAgain: () => Promise<void>;
  readonly forget: () => void;
}

interface PostFormOptions {
  readonly post: PostWithEtag | undefined;
  readonly initial: Content;
  readonly onSaved: (saved: PostWithEtag, then: AfterSave) => void;
}

/** The state of the form and the results of a save. Every save of an existing post sends the ETag that was read. */
export function usePostForm({ post, initial, onSaved }: PostFormOptions): PostFormState {
  const keyFor = useIdempotencyKey();
  const { control, formState, getValues, reset, setError, clearErrors, setFocus, subscribe, trigger, watch } =
    useForm<Content>({ defaultValues: initial });
  const [base, setBase] = useState(post);
  useEffect(() => {
    // A fault that the service found holds for the value that it was sent.
    return subscribe({
      formState: { values: true },
      callback: ({ name }) => name && clearErrors(name as Field),
    });
  }, [subscribe, clearErrors]);
  const drafts = useDrafts(base, initial, watch);
  const [failure, setFailure] = useState<unknown>();
  const [conflict, setConflict] = useState<SaveConflict>();
  const [isSaving, setSaving] = useState(false);
  const [then, setThen] = useState<AfterSave>('list');

  const store = async (content: Content, on: PostWithEtag | undefined, next: AfterSave): Promise<void> => {
    setSaving(true);
    setFailure(undefined);
    clearErrors();
    try {
      const saved =
        on === undefined
          ? await createPost(content, keyFor(content))
          : await replacePost(on.id, on.etag, content);
      setConflict(undefined);
      drafts.remove();
      setBase(saved);
      reset(contentOf(saved));
      notify(on === undefined ? `${quoted(saved.title)} was added.` : `${quoted(saved.title)} was saved.`);
      void queryClient.invalidateQueries({ queryKey: [POSTS_PATH] });
      onSaved(saved, next);
    } catch (error) {
      await explain(error, content, on);
    } finally {
      setSaving(false);
    }
  };

  const explain = async (error: unknown, mine: Content, on: PostWithEtag | undefined): Promise<void> => {
    if (on !== undefined && hasStatus(error, 412)) {
      try {
        const theirs = await readPost(on.id);
        setConflict({ kind: 'changed', base: contentOf(base ?? on), mine, theirs });
      } catch (readError) {
        await explain(readError, mine, on);
      }
    } else if (on !== undefined && hasStatus(error, 404)) {
      setConflict({ kind: 'deleted' });
    } else {
      setConflict(undefined);
      const faults = hasStatus(error, 400) ? faultsByField(error.errors, FIELDS) : {};
      const faulty = FIELDS.filter((field) => faults[field] !== undefined);
      for (const field of faulty) setError(field, { message: faults[field]! });
      const isAtFields = hasStatus(error, 400) && faulty.length > 0 && faulty.length === error.errors.length;
      if (!isAtFields) setFailure(error);
      if (faulty[0] !== undefined) setFocus(faulty[0]);
    }
  };

  return {
    control,
    base,
    isDirty: formState.isDirty,
    isSaving,
    failure,
    faultyFields: Object.keys(formState.errors).length,
    conflict,
    drafts,
    takeDraft: () => {
      const { offered } = drafts;
      if (offered === undefined) return;
      // If the post changed since the draft, the save reports a conflict.
      if (offered.base) setBase(offered.base);
      reset(offered.base ? contentOf(offered.base) : initial);
      reset(offered.content, { keepDefaultValues: true });
      drafts.settle();
    },
    save: async (next) => {
      setThen(next);
      if (await trigger(undefined, { shouldFocus: true })) await store(getValues(), base, next);
    },
    settle: async (content, theirs, isSaved) => {
      setBase(theirs);
      reset(contentOf(theirs));
      reset(content, { keepDefaultValues: true });
      if (isSaved) await store(content, theirs, then);
      else setConflict(undefined);
    },
    restore: async () => {
      if (base === undefined) return;
      try {
        if (!(await runBulk('restorations', { ids: [base.id] }))) return setConflict(undefined);
        await store(getValues(), await readPost(base.id), then);
      } catch (error) {
        setConflict(undefined);
        setFailure(error);
      }
    },
    createAgain: () => store(getValues(), undefined, then === 'continue' ? 'list' : then),
    forget: () => setConflict(undefined),
  };
}
