import { randomKey } from './api.js';
import { session } from './client.js';
import { type Content, FIELDS, type PostWithEtag } from './posts.js';
import { browserStore } from './remembered.js';

/** Unsaved input of a form. */
export interface Draft {
  readonly content: Content;
  /** The post that the draft is based on. A save is compared with it. */
  readonly base?: PostWithEtag;
  readonly at: string;
}

/** A draft, and the key of its slot in the browser's storage. */
export interface StoredDraft extends Draft {
  readonly key: string;
}

/** Names this page until it is closed or reloaded. */
const TAB = randomKey();
const LOCK = 'posts-admin.tab.';

// Tells other tabs that this one is open. (Browsers offer locks only to pages from https or localhost.)
void navigator.locks?.request(LOCK + TAB, () => new Promise(() => undefined));

/** The slot of this tab for the drafts of a form. @param form `create`, or the id of a post */
export function slotOf(form: string): string {
  return `${prefixOf(form)}.${TAB}`;
}

function prefixOf(form: string): string {
  return `posts-admin.draft.${session.get()?.account.id}.${form}`;
}

/** Finds the drafts of a form that closed tabs have left, the newest first. */
export async function findDrafts(form: string): Promise<StoredDraft[]> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const open = new Set(held.map(({ name }) => name));
  return browserStore
    .keys()
    .filter((key) => key === prefixOf(form) || key.startsWith(`${prefixOf(form)}.`))
    .filter((key) => key !== slotOf(form) && !open.has(LOCK + key.slice(prefixOf(form).length + 1)))
    .flatMap((key) => readDraft(key) ?? [])
    .toSorted((one, other) => other.at.localeCompare(one.at));
}

function readDraft(key: string): StoredDraft | undefined {
  try {
    const draft = JSON.parse(browserStore.get(key) ?? 'null') as Draft | null;
    const isDraft = draft !== null && FIELDS.every((field) => typeof draft.content[field] === 'string');
    return isDraft ? { ...draft, key } : undefined;
  } catch {
    return undefined;
  }
}

/** Removes what the account has typed from this browser. Another tab that has unsaved input stores it again. */
export function removeDrafts(): void {
  const ofAccount = prefixOf('');
  for (const key of browserStore.keys()) if (key.startsWith(ofAccount)) browserStore.remove(key);
}

/** Removes what was typed in this tab. */
export function removeOwnDrafts(): void {
  for (const key of browserStore.keys()) if (key.endsWith(`.${TAB}`)) browserStore.remove(key);
}
