import type { Queryable, Snapshot } from '../../database/database.js';
import type { Reader } from '../../http/response/response-reader.js';
import type { Post } from '../post.entity.js';
import type { PostsRepository, PostsState } from '../posts.repository.js';
import { ahead } from './ahead.js';
import { sortKeyOf, type SortKeyValues } from './post-ordering.js';
import type { PostSelection } from './post-selection.js';
import type { LargeBodies } from './post-snapshots.js';

/** Small, so that the first bytes are sent at once. */
const FIRST_ROWS = 50;
/** At most 8 MiB, with the largest bodies that are not left out (LARGE_BODY_BYTES in post-page-queries.ts). */
const ROWS = 500;

/** All posts of a selection as of one moment, read at the pace of the client. */
export class PostStream {
  constructor(
    private readonly repository: PostsRepository,
    private readonly snapshot: Snapshot,
    private readonly selection: PostSelection,
    private readonly largeBodies: LargeBodies,
    private readonly reader: Reader,
  ) {}

  count(): Promise<number> {
    return this.repository.count(this.selection.filter, this.snapshot);
  }

  state(): Promise<PostsState> {
    return this.repository.readState(this.snapshot);
  }

  /** The requested fields of the posts, in batches that take little memory. */
  async *batches(): AsyncGenerator<readonly Partial<Post>[]> {
    // The database reads the next batch while the previous one is written.
    for await (const posts of ahead(this.#pages()))
      yield* withLargeBodies(posts, this.repository, this.snapshot, this.largeBodies, this.reader);
  }

  close(): Promise<void> {
    return this.snapshot.close();
  }

  async *#pages(): AsyncGenerator<readonly Partial<Post>[]> {
    const { cursor, ordering, offset } = this.selection;
    let after: SortKeyValues | undefined = cursor?.direction === 'next' ? cursor.key : undefined;
    const until = cursor?.direction === 'prev' ? cursor.key : undefined;
    for (let rows = FIRST_ROWS, isFirst = true; ; rows = ROWS, isFirst = false) {
      const posts = await this.repository.findPage(
        {
          ...this.selection,
          backwards: false,
          after,
          until,
          offset: isFirst ? offset : 0,
          rows,
          leavesOutLargeBodies: true,
        },
        this.snapshot,
      );
      yield posts;
      if (posts.length < rows) return;
      after = sortKeyOf(posts.at(-1)!, ordering);
    }
  }
}

/** Adds the large bodies, one at a time, when there is room for them. @param within where the posts were read */
export async function* withLargeBodies(
  posts: readonly Partial<Post>[],
  repository: PostsRepository,
  within: Queryable,
  largeBodies: LargeBodies,
  reader: Reader,
): AsyncGenerator<readonly Partial<Post>[]> {
  let start = 0;
  for (const [index, { id, body }] of posts.entries()) {
    if (body !== null) continue;
    if (index > start) yield posts.slice(start, index);
    const release = await largeBodies.wait(reader, await repository.bodyBytes([id!], within));
    try {
      const whole = await repository.findById(id!, within);
      yield [whole!];
    } finally {
      release();
    }
    start = index + 1;
  }
  if (start < posts.length) yield start === 0 ? posts : posts.slice(start);
}
