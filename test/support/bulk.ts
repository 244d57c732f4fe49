import type { BulkProgress } from '../../src/bulk-changes/bulk-changes.service.js';

/** Runs a prepared bulk action to its end. @returns how many posts it has changed */
export async function finish(prepared: Promise<AsyncGenerator<BulkProgress>>): Promise<number> {
  let changed = 0;
  for await (const { done } of await prepared) changed = done;
  return changed;
}
