import type { Snapshot } from '../../database/database.js';
import type { Reader } from '../../http/request/client-shares.js';
import { keysetBatches } from '../../http/request/keyset-page.js';
import type { Post } from '../post.entity.js';
import type { PostsRepository } from '../posts.repository.js';
import { ahead } from './ahead.js';
import { sortKeyOf } from './post-ordering.js';
import { LARGE_BODY_BYTES } from './post-pages.repository.js';
import type { ListedPost } from './post-pages.repository.js';
import type { PostSelection } from './post-selection.js';
import type { LargeBodies } from './post-snapshots.js';

/** Few, so that the first bytes are sent at once: at most 3 MiB, with the largest bodies that are read together. */
const ROWS = 200;

/** Posts as of one moment, read at the pace of the client. It must be closed. */
export class PostStream {
  constructor(
    private readonly repository: PostsRepository,
    private readonly snapshot: Snapshot,
    private readonly largeBodies: LargeBodies,
    private readonly reader: Reader,
    /** Posts of the snapshot, possibly without their bodies. */
    private readonly pages: AsyncGenerator<readonly ListedPost[]>,
    private readonly onRead?: () => void,
  ) {}

  /** The requested fields of the posts, in batches that take little memory. */
  async *batches(): AsyncGenerator<readonly Partial<Post>[]> {
    this.onRead?.();
    // The database reads the next batch while the previous one is written.
    for await (const posts of ahead(this.pages)) {
      let start = 0;
      for (const [index, { id, body, bodyBytes }] of posts.entries()) {
        if (body !== null) continue;
        if (index > start) yield posts.slice(start, index) as Partial<Post>[];
        const release = await this.largeBodies.wait(this.reader, bodyBytes!);
        try {
          const whole = await this.repository.findById(id, this.snapshot);
          yield [whole!];
        } finally {
          release();
        }
        start = index + 1;
      }
      if (start < posts.length) yield posts.slice(start) as Partial<Post>[];
    }
  }

  close(): Promise<void> {
    return this.snapshot.close();
  }
}

/** All posts of a selection; its limit does not apply. */
export function pagesOf(
  { cursor, offset, ...selection }: PostSelection,
  repository: PostsRepository,
  snapshot: Snapshot,
): AsyncGenerator<readonly ListedPost[]> {
  const after = cursor?.direction === 'next' ? cursor.key : undefined;
  const until = cursor?.direction === 'prev' ? cursor.key : undefined;
  const section = { ...selection, until, maxBodyBytes: LARGE_BODY_BYTES };
  return keysetBatches(
    { after, rows: ROWS },
    (walk) => repository.findPage({ ...section, ...walk, offset: walk.after ? 0 : offset }, snapshot),
    (post) => sortKeyOf(post, selection.ordering),
  );
}
