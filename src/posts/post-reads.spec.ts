import { setImmediate } from 'node:timers/promises';
import { DatabaseFault } from '../database/database-fault.js';
import { PostReads } from './post-reads.js';
import type { Post } from './post.entity.js';
import type { PostsRepository } from './posts.repository.js';

/** Every post from 1 to 1000, in the version that was the latest when the query began. Each tenth is large. */
class SlowRepository {
  readonly queries: number[][] = [];
  version = 1;
  fault: Error | undefined;

  async findById(id: number): Promise<Post | undefined> {
    const [post] = await this.#read([id]);
    return post && { ...post, body: 'whole' };
  }

  async findByIds(ids: readonly number[]): Promise<(Omit<Post, 'body'> & { body: string | null })[]> {
    const posts = await this.#read(ids);
    return posts.map((post) => ({ ...post, body: post.id % 10 === 0 ? null : 'whole' }));
  }

  async #read(ids: readonly number[]): Promise<Omit<Post, 'body'>[]> {
    this.queries.push([...ids]);
    const { version, fault } = this;
    await setImmediate();
    if (fault) throw fault;
    const found = ids.filter((id) => id <= 1_000);
    return found.toReversed().map((id) => ({ id, version, title: '', pubDate: '', modified: '' }));
  }
}

function setUp(): { repository: SlowRepository; reads: PostReads } {
  const repository = new SlowRepository();
  return { repository, reads: new PostReads(repository as unknown as PostsRepository) };
}

describe('PostReads', () => {
  it('reads a single post with its own query', async () => {
    const { repository, reads } = setUp();
    const post = await reads.find(7);
    expect(repository.queries).toEqual([[7]]);
    expect(post).toMatchObject({ id: 7, version: 1 });
    expect(await reads.find(1_001)).toBeUndefined();
  });

  it('batches reads that arrive together, each post once', async () => {
    const { repository, reads } = setUp();
    const ids = [1, 2, 3, 4, 3, 1_001, ...Array.from({ length: 100 }, (_, index) => 5 + 10 * index)];
    const posts = await Promise.all(ids.map((id) => reads.find(id)));
    expect(posts.map((post) => post?.id)).toEqual(ids.map((id) => (id > 1_000 ? undefined : id)));
    expect(repository.queries.map(({ length }) => length)).toEqual([63, 42]);
  });

  it('reads the large posts of a batch one by one', async () => {
    const { repository, reads } = setUp();
    const posts = await Promise.all([1, 2, 3, 10, 20, 30].map((id) => reads.find(id)));
    expect(posts.map((post) => post?.body)).toEqual(Array.from({ length: 6 }, () => 'whole'));
    expect(repository.queries).toEqual([[1, 2, 3, 10, 20, 30], [10], [20], [30]]);
  });

  it('never returns data read before the request', async () => {
    const { repository, reads } = setUp();
    const early = reads.find(1);
    await setImmediate();
    expect(repository.queries).toEqual([[1]]);
    repository.version = 2;
    const late = reads.find(1);
    expect((await early)?.version).toBe(1);
    expect((await late)?.version).toBe(2);
  });

  it('rejects all reads of a failed query, and continues', async () => {
    const { repository, reads } = setUp();
    repository.fault = new DatabaseFault('unreachable');
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((id) => reads.find(id)));
    expect(outcomes).toEqual(outcomes.map(() => ({ status: 'rejected', reason: repository.fault })));
    repository.fault = undefined;
    expect(await reads.find(1)).toMatchObject({ id: 1, version: 1 });
  });
});
