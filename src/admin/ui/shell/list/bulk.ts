import type { BulkProgress } from '../../../../bulk-changes/bulk-changes.service.js';
import type { Query } from '../../api/api.js';
import { api, queryClient } from '../../api/client.js';
import { KEYS } from '../../api/keys.js';
import { Unreachable } from '../../api/problem.js';
import { holdUnsavedInput } from '../../api/unsaved-input.js';
import { jsonLines } from '../../streams/json-lines.js';
import { counted, numberText } from '../../texts/texts.js';
import { failureText } from '../failure.js';
import { type NoticeAction, notifier } from '../notices.js';

/** The posts of a bulk action: ids; those of an entry of the change log; or all matches, with their confirmed number. */
export type BulkSelection =
  | { readonly ids: readonly number[] }
  | { readonly entry: number }
  | { readonly filter: Query; readonly count: number };

/** The bulk actions, each by its path below admin/api/. */
const TEXTS = {
  'bulk-deletions': { running: 'Deleting', done: 'deleted' },
  restorations: { running: 'Restoring', done: 'restored' },
  purges: { running: 'Deleting for good', done: 'deleted for good' },
} as const;

/**
 * Changes any number of posts. A notice shows the progress, with a button to stop it, and then the result; after a
 * deletion it can undo it.
 */
export async function runBulk(action: keyof typeof TEXTS, selection: BulkSelection): Promise<void> {
  const { running, done } = TEXTS[action];
  const controller = new AbortController();
  const stop: NoticeAction = { label: 'Stop', run: () => controller.abort() };
  const tell = notifier();
  const update = tell(`${running}…`, { type: 'info', action: stop });
  const release = holdUnsavedInput();
  let last: BulkProgress = { done: 0, total: 0 };
  try {
    for await (const progress of progressOf(action, selection, controller.signal)) {
      last = progress;
      update(`${running}: ${numberText(last.done)} of ${numberText(last.total)}`);
    }
    if (last.entry === undefined) throw new Error('The connection broke.');
    const undo = action === 'bulk-deletions' ? undoOf(selection, last) : undefined;
    tell(`${countText(last)} ${done}.`, undo && { action: undo });
  } catch (error) {
    const text = `${countText(last)} ${done}.`;
    if (controller.signal.aborted) tell(`Stopped: ${text}`, { type: 'warning' });
    else tell(last.total === 0 ? failureText(error) : `${failureText(error)} ${text}`, { type: 'error' });
  } finally {
    release();
    // A post that was not there may have come back.
    void queryClient.invalidateQueries({
      queryKey: KEYS.everyPost,
      predicate: ({ state }) => state.status === 'error',
    });
    await queryClient.invalidateQueries({ queryKey: KEYS.posts });
  }
}

async function* progressOf(
  action: string,
  selection: BulkSelection,
  signal: AbortSignal,
): AsyncGenerator<BulkProgress> {
  const { filter, ...json } = { filter: {}, ...selection };
  const response = await api.send(`admin/api/${action}/`, {
    method: 'POST',
    query: filter,
    json,
    headers: { Accept: 'application/x-ndjson, application/problem+json;q=0.5' },
    signal,
  });
  try {
    if (response.body) yield* jsonLines<BulkProgress>(response.body);
  } catch (error) {
    throw new Unreachable(error);
  }
}

function countText({ done, total }: BulkProgress): string {
  if (done === total) return counted(done, 'post was', 'posts were');
  return `${numberText(done)} of ${numberText(total)} posts were`;
}

function undoOf(selection: BulkSelection, { done, entry }: BulkProgress): NoticeAction | undefined {
  const deleted = deletedBy(selection, entry);
  if (done === 0 || !deleted) return undefined;
  return { label: 'Undo', run: () => void runBulk('restorations', deleted) };
}

/** What a deletion has deleted: by its entry of the change log, or by its ids where it has none. */
function deletedBy(selection: BulkSelection, entry: BulkProgress['entry']): BulkSelection | undefined {
  if (typeof entry === 'number') return { entry };
  return 'ids' in selection ? selection : undefined;
}
