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
const NAME = 'posts-admin.tab';
/** An open tab answers within this time, unless the browser has suspended it. */
const ANSWER_MS = 500;

// Tells other tabs that this one is open: by a lock, which a suspended tab has, too. Browsers offer locks only to pages from
// https or localhost; elsewhere a tab that is asked answers.
void navigator.locks?.request(`${NAME}.${TAB}`, () => new Promise(() => undefined));
const tabs = new BroadcastChannel(NAME);
tabs.addEventListener('message', ({ data }: MessageEvent<string>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel reaches only its own origin.
  if (data === 'who') tabs.postMessage(TAB);
});

/** Finds out which tabs are open. @param known the tabs that it is about */
async function openTabs(known: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const locks = navigator.locks as LockManager | undefined;
  if (locks) {
    const { held = [] } = await locks.query();
    return new Set(held.map(({ name }) => name?.slice(NAME.length + 1) ?? ''));
  }
  const answered = new Set<string>();
  const asking = new BroadcastChannel(NAME);
  await new Promise<void>((resolve) => {
    setTimeout(resolve, ANSWER_MS);
    asking.addEventListener('message', ({ data }: MessageEvent<string>) => {
      answered.add(data);
      if (Array.from(known).every((tab) => answered.has(tab))) resolve();
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel reaches only its own origin.
    asking.postMessage('who');
  });
  asking.close();
  return answered;
}

/** The slot of this tab for the drafts of a form. @param form `create`, or the id of a post */
export function slotOf(form: string): string {
  return `${prefixOf(form)}.${TAB}`;
}

function prefixOf(form: string): string {
  return `posts-admin.draft.${session.get()?.account.id}.${form}`;
}

/** Finds the drafts of a form that closed tabs have left, the newest first. */
export async function findDrafts(form: string): Promise<StoredDraft[]> {
  const prefix = prefixOf(form);
  const tabOf = (key: string): string => key.slice(prefix.length + 1);
  const others = browserStore
    .keys()
    .filter((key) => key === prefix || key.startsWith(`${prefix}.`))
    .filter((key) => key !== slotOf(form));
  if (others.length === 0) return [];
  const open = await openTabs(new Set(others.map(tabOf)));
  return others
    .filter((key) => !open.has(tabOf(key)))
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
