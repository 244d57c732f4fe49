import { queryOn } from '../support/sqlite-file.js';

interface RevisionRow {
  readonly post_id: number;
  readonly last_post_id: number;
  readonly number: number;
  readonly action: string;
  readonly old_body: string | null;
}

/** The state of a post according to its history alone. */
interface LoggedPost {
  readonly version: number;
  readonly isGone: boolean;
}

/**
 * Compares the history and the search index of a SQLite file with its posts.
 *
 * @returns the state of each post according to the history, and the differences
 */
export async function compareHistory(
  path: string,
): Promise<{ logged: ReadonlyMap<number, LoggedPost>; faults: string[] }> {
  const faults: string[] = [];
  const posts = await queryOn<{ id: number; version: number }>(path, 'SELECT id, version FROM posts');
  const rows = await queryOn<RevisionRow>(
    path,
    'SELECT post_id, last_post_id, number, action, old_body FROM post_revisions WHERE number > 0 ORDER BY id',
  );
  const logged = new Map<number, LoggedPost>();
  for (const { post_id, last_post_id, number, action, old_body } of rows) {
    for (let id = post_id; id <= last_post_id; id++) {
      const before = logged.get(id);
      if (number !== (before?.version ?? 0) + 1) {
        faults.push(`post ${id} has revision ${number} after ${before?.version}`);
      }
      if (before?.isGone) faults.push(`post ${id} was ${action} after it was deleted`);
      if ((action !== 'created') !== (old_body !== null)) faults.push(`post ${id}, ${action}: old content`);
      logged.set(id, { version: number, isGone: action === 'deleted' });
    }
  }
  const living = new Map(posts.map(({ id, version }) => [id, version]));
  for (const [id, { version, isGone }] of logged) {
    if (isGone ? living.has(id) : living.get(id) !== version) {
      faults.push(`post ${id} is not what its history says`);
    }
  }
  for (const id of living.keys()) if (!logged.has(id)) faults.push(`post ${id} has no history`);
  const indexed = await queryOn<{ id: number }>(path, 'SELECT id FROM posts_search_docsize');
  const isIndexed = new Set(indexed.map(({ id }) => id));
  if (isIndexed.size !== living.size || [...living.keys()].some((id) => !isIndexed.has(id))) {
    faults.push(`${isIndexed.size} posts are in the index, and ${living.size} are there`);
  }
  return { logged, faults };
}
