import { openPosts } from './command-database.js';
import type { Format } from './formats.js';
import { interruptible } from './interruption.js';
import type { Imported } from './posts-access.js';
import { Progress } from './progress.js';

/**
 * Stores posts in one of the formats, all or none, and shows the progress.
 *
 * @param url of a running service; without it, the posts go to the database of the settings
 * @param bytesOf the bytes; its arguments report progress and cancel it
 * @throws UsageError
 * @throws ImportRefused
 */
export async function storePosts(
  url: string | undefined,
  format: Format,
  bytesOf: (progress: Progress, cancel: AbortSignal) => AsyncIterable<Buffer>,
): Promise<Imported> {
  const posts = await openPosts(url);
  const progress = new Progress(process.stderr);
  const outcome = url === undefined ? 'Nothing was stored.' : 'The service stores all of it, or nothing.';
  try {
    return await interruptible(outcome, (cancel) =>
      posts.import(bytesOf(progress, cancel), format, cancel, (done, all) =>
        progress.show({ label: 'Storing', posts: done, fraction: done / all }),
      ),
    );
  } finally {
    progress.end();
    await posts.close();
  }
}
