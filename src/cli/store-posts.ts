import { openPosts } from './command-database.js';
import { interruptible } from './interruption.js';
import type { Imported } from './posts-access.js';
import { Progress } from './progress.js';

/**
 * Stores the posts of NDJSON, all or none, and shows how far it is.
 *
 * @param url of a service that runs; without one, they go to the database of the settings
 * @param linesOf the bytes, shown and ended as its arguments say
 * @throws UsageError
 * @throws ImportRefused
 */
export async function storePosts(
  url: string | undefined,
  linesOf: (progress: Progress, cancel: AbortSignal) => AsyncIterable<Buffer>,
): Promise<Imported> {
  const posts = await openPosts(url);
  const progress = new Progress(process.stderr);
  const outcome = url === undefined ? 'Nothing was stored.' : 'The service stores all of it, or nothing.';
  try {
    return await interruptible(outcome, (cancel) =>
      posts.import(linesOf(progress, cancel), cancel, (done, all) =>
        progress.show({ label: 'Storing', posts: done, fraction: done / all }),
      ),
    );
  } finally {
    progress.end();
    await posts.close();
  }
}
