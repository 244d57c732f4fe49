import { setImmediate } from 'node:timers/promises';
import { DatabaseFault } from '../database/database-fault.js';
import type { Database, Transaction, Work } from '../database/database.js';
import { ANONYMOUS, type Author } from '../http/request/author.js';
import type { Post } from './post.entity.js';
import { PostCreations } from './post-batches.js';
import type { PostCreation, PostWritesRepository } from './writes/post-writes.repository.js';

/** Stores posts in memory, one iteration of the event loop later. */
class SlowRepository {
  readonly batches: string[][] = [];
  readonly stored: Post[] = [];
  readonly authors: (string | undefined)[] = [];
  faultFor: (titles: readonly string[]) => Error | undefined = () => undefined;

  async transaction<Result>(work: Work<Result>): Promise<Result> {
    await setImmediate();
    return work({} as Transaction);
  }

  insert(_transaction: Transaction, creations: readonly PostCreation[]): Promise<Post[]> {
    const titles = creations.map(({ post }) => post.title);
    this.batches.push(titles);
    const fault = this.faultFor(titles);
    if (fault !== undefined) return Promise.reject(fault);
    const stored = creations.map(({ post }, index) => ({
      ...post,
      id: this.stored.length + index + 1,
      version: 1,
      modified: '',
    }));
    this.stored.push(...stored);
    this.authors.push(...creations.map(({ author }) => author.name));
    return Promise.resolve(stored);
  }
}

function setUp(): {
  repository: SlowRepository;
  create: (title: string, body?: string, author?: Author) => Promise<Post>;
} {
  const repository = new SlowRepository();
  const creations = new PostCreations(
    repository as unknown as PostWritesRepository,
    { dialect: { concurrentWrites: 2 } } as Database,
  );
  return {
    repository,
    create: (title, body = '', author = ANONYMOUS) =>
      creations.create({ title, body, pubDate: '2026-11-20T14:40:00.000000Z' }, author),
  };
}

const titlesUpTo = (count: number): string[] => Array.from({ length: count }, (_, index) => `post ${index}`);

describe('PostCreations', () => {
  it('gives each request its own post', async () => {
    const { create } = setUp();
    const titles = titlesUpTo(150);
    const posts = await Promise.all(titles.map((title) => create(title)));
    expect(posts.map(({ title }) => title)).toEqual(titles);
    expect(new Set(posts.map(({ id }) => id)).size).toBe(150);
  });

  it('stores each post under its own author in a batch', async () => {
    const { create, repository } = setUp();
    const names = titlesUpTo(20);
    await Promise.all(names.map((name) => create(name, '', { kind: 'token', name })));
    expect(repository.authors).toEqual(repository.stored.map(({ title }) => title));
    expect(new Set(repository.authors)).toEqual(new Set(names));
  });

  it('batches posts that arrive together, at most 64 at a time', async () => {
    const { create, repository } = setUp();
    await Promise.all(titlesUpTo(150).map((title) => create(title)));
    expect(repository.batches.map(({ length }) => length)).toEqual([64, 64, 22]);
  });

  it('does not batch large posts', async () => {
    const { create, repository } = setUp();
    await Promise.all(titlesUpTo(6).map((title) => create(title, 'x'.repeat(600_000))));
    expect(repository.batches.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('fails only the request whose post cannot be stored', async () => {
    const { create, repository } = setUp();
    const fault = new DatabaseFault('unexpected');
    repository.faultFor = (titles) => (titles.includes('post 7') ? fault : undefined);
    const outcomes = await Promise.allSettled(titlesUpTo(20).map((title) => create(title)));
    expect(outcomes.flatMap((outcome, index) => (outcome.status === 'rejected' ? [index] : []))).toEqual([7]);
    expect(outcomes[7]).toEqual({ status: 'rejected', reason: fault });
    expect(repository.stored).toHaveLength(19);
  });

  it('does not retry posts one by one when the database is unreachable', async () => {
    const { create, repository } = setUp();
    repository.faultFor = () => new DatabaseFault('unreachable');
    const outcomes = await Promise.allSettled(titlesUpTo(50).map((title) => create(title)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(repository.batches.length).toBeLessThan(5);
  });

  it('continues after a fault', async () => {
    const { create, repository } = setUp();
    repository.faultFor = () => new DatabaseFault('unreachable');
    await Promise.allSettled(titlesUpTo(5).map((title) => create(title)));
    repository.faultFor = () => undefined;
    await expect(create('afterwards')).resolves.toMatchObject({ title: 'afterwards' });
  });
});
