import { Injectable } from '@nestjs/common';
import { Database, type Outcome, type Outcomes, type Transaction } from '../database/database.js';
import type { Preconditions } from '../http/protocol/preconditions.js';
import type { Author } from '../http/request/author.js';
import { PostSearch } from './lists/post-search.js';
import { PostNotFound } from './post-id.js';
import { PostReads } from './post-reads.js';
import { assertMet } from './post-validators.js';
import { hasSameContent, type NewPost, Post } from './post.entity.js';
import { PostsRepository } from './posts.repository.js';
import type { PostChange } from './writes/post-change.js';
import { hasBody, type PostCreation, PostWritesRepository } from './writes/post-writes.repository.js';

/** The new content of a post. Without `pubDate` the post keeps its date. */
export type PostReplacement = Omit<NewPost, 'pubDate'> & { readonly pubDate: string | undefined };

/** A replacement or a deletion as a client requests it. */
interface ChangeRequest {
  readonly id: number;
  readonly preconditions: Preconditions;
  readonly author: Author;
  /** Undefined for a deletion. */
  readonly replacement: PostReplacement | undefined;
  readonly words: PostChange['words'];
}

/** A replaced or unchanged post; undefined after its deletion. */
type Changed = Post | undefined;

/** Additional work in the transaction that stores a post. */
interface CreationHooks<Result> {
  /** Runs first. */
  readonly before: (transaction: Transaction) => Promise<void>;
  /** Computes the result from the stored post. */
  readonly after: (transaction: Transaction, stored: Post) => Promise<Result>;
}

/** Stores, finds, replaces and deletes posts. Writes that arrive at the same time share a transaction and its statements. */
@Injectable()
export class PostsService {
  readonly #create: (creation: PostCreation) => Promise<Post>;
  readonly #change: (request: ChangeRequest) => Promise<Changed>;

  constructor(
    private readonly database: Database,
    private readonly repository: PostsRepository,
    private readonly writes: PostWritesRepository,
    private readonly reads: PostReads,
    private readonly search: PostSearch,
  ) {
    this.#create = database.batched<PostCreation, Post>({
      lengthOf: ({ post }) => lengthOf(post),
      run: async (transaction, creations) =>
        (await writes.insert(transaction, creations)).map((result) => ({ result })),
    });
    this.#change = database.batched<ChangeRequest, Changed>({
      keyOf: ({ id }) => id,
      lengthOf: ({ replacement }) => (replacement ? lengthOf(replacement) : 0),
      run: (transaction, requests) => this.#changeAll(transaction, requests),
    });
  }

  /** The number of all posts. */
  async count(): Promise<number> {
    return (await this.repository.readState()).count;
  }

  /** @throws PostNotFound */
  async findOrFail(id: number): Promise<Post> {
    const post = await this.reads.find(id);
    if (!post) throw new PostNotFound(id);
    return post;
  }

  /** Stores a post, possibly in one transaction with others that arrive at the same time. */
  async create(post: NewPost, author: Author): Promise<Post> {
    return this.#create({ post, author, words: await this.search.wordsOfLong(post) });
  }

  /** Stores a post in its own transaction, together with the additional work of the hooks. */
  async createAnd<Result>(
    post: NewPost,
    author: Author,
    { before, after }: CreationHooks<Result>,
  ): Promise<Result> {
    const words = await this.search.wordsOfLong(post);
    return this.database.write(async (transaction) => {
      await before(transaction);
      const [stored] = await this.writes.insert(transaction, [{ post, author, words }]);
      return after(transaction, stored!);
    });
  }

  /**
   * Replaces the post if it exists and the preconditions hold, in one atomic step. A replacement that changes nothing
   * keeps the version.
   *
   * @throws PostNotFound
   * @throws PreconditionFailed
   * @throws InvalidRequest when a precondition is malformed
   */
  async replace(
    id: number,
    replacement: PostReplacement,
    preconditions: Preconditions,
    author: Author,
  ): Promise<Post> {
    const words = await this.search.wordsOfLong(replacement);
    return (await this.#change({ id, preconditions, author, replacement, words }))!;
  }

  /**
   * Deletes the post if it exists and the preconditions hold, in one atomic step.
   *
   * @throws as {@link replace} does
   */
  async delete(id: number, preconditions: Preconditions, author: Author): Promise<void> {
    await this.#change({ id, preconditions, author, replacement: undefined, words: undefined });
  }

  /**
   * Changes different posts. Each request is decided by itself: the post is locked, and its state is compared with the
   * preconditions, before anything is written.
   */
  async #changeAll(transaction: Transaction, requests: readonly ChangeRequest[]): Promise<Outcomes<Changed>> {
    const posts = await this.#lock(transaction, requests);
    const changes: PostChange[] = [];
    const decided = requests.map((request) => {
      const post = posts.get(request.id);
      // Posts that do not exist, that another transaction has locked, and those with large bodies run alone.
      if (!post) return requests.length === 1 ? { refused: new PostNotFound(request.id) } : undefined;
      const decision = decide(request, post);
      if ('before' in decision) changes.push(decision);
      return decision;
    });
    const { replaced } = await this.writes.change(transaction, changes);
    return decided.map((each) =>
      each && 'before' in each ? { result: replaced.then((byId) => byId.get(each.before!.id)) } : each,
    );
  }

  async #lock(
    transaction: Transaction,
    requests: readonly ChangeRequest[],
  ): Promise<ReadonlyMap<number, Post>> {
    const found =
      requests.length === 1
        ? [await this.writes.findForUpdate(transaction, requests[0]!.id)]
        : await this.writes.findUnlockedForUpdate(
            transaction,
            requests.map(({ id }) => id),
          );
    const posts = new Map<number, Post>();
    for (const post of found) if (post && hasBody(post)) posts.set(post.id, post);
    return posts;
  }
}

function lengthOf({ title, body }: Pick<Post, 'title' | 'body'>): number {
  return title.length + body.length;
}

/** A change to make, or the outcome of a request that changes nothing. */
function decide(
  { replacement, preconditions, author, words }: ChangeRequest,
  before: Post,
): PostChange | Outcome<Changed> {
  try {
    assertMet(preconditions, before);
  } catch (refused) {
    return { refused };
  }
  if (!replacement) return { action: 'deleted', author, before, after: undefined };
  const after = Object.assign(new Post(), replacement, {
    pubDate: replacement.pubDate ?? before.pubDate,
    id: before.id,
    version: before.version + 1,
  });
  if (hasSameContent(after, before)) return { result: before };
  return { action: 'changed', author, before, after, words };
}
