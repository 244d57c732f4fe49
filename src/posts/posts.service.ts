import { Injectable } from '@nestjs/common';
import { Batches, Database, type Outcome, type Outcomes, type Transaction } from '../database/database.js';
import type { Preconditions } from '../problem-details/preconditions.js';
import type { Author } from '../http/request/author.js';
import { PostSearch } from './lists/post-search.js';
import { PostNotFound } from './post-id.js';
import { assertMet } from './post-validators.js';
import { hasSameContent, type NewPost, type Post } from './post.entity.js';
import { PostsRepository, type WithLargeBody } from './posts.repository.js';
import { postAfter, type PostChange } from './writes/post-changes.js';
import { hasBody, PostWritesRepository } from './writes/post-writes.repository.js';

/** The new content of a post. Without `pubDate` the post keeps its date. */
export type PostReplacement = Omit<NewPost, 'pubDate'> & { readonly pubDate: string | undefined };

/** A change of a post as a client requests it: a creation, or a replacement or deletion of the post with the id. */
type ChangeRequest = { readonly author: Author; readonly words: PostChange['words'] } & (
  | { readonly id: undefined; readonly content: NewPost; readonly hooks: CreationHooks | undefined }
  | {
      readonly id: number;
      readonly preconditions: Preconditions;
      readonly hooks?: undefined;
      /** Undefined for a deletion. */
      readonly content: PostReplacement | undefined;
    }
);

/** A created, replaced or unchanged post; undefined after its deletion. */
type Changed = Post | undefined;

type Decision = PostChange | Outcome<Changed> | undefined;

/** Additional work in the transaction that stores a post. */
interface CreationHooks {
  /** Runs first. What it throws refuses the post. */
  readonly before: (transaction: Transaction) => Promise<void>;
  readonly after: (transaction: Transaction, stored: Post) => Promise<unknown>;
}

/** While this many queries run, further reads wait for the next query. */
const MAX_RUNNING_READS = 2;

/** Stores, finds, replaces and deletes posts. Writes that arrive at the same time share a transaction and its statements. */
@Injectable()
export class PostsService {
  /**
   * Reads of posts that are requested at the same time share a query, which starts after all of them. On PostgreSQL, the
   * round trip takes most of the time of a read.
   */
  readonly #reads = new Batches<number, Post | undefined>({
    maxRunning: MAX_RUNNING_READS,
    run: (ids) => this.#read(ids),
  });
  readonly #change: (request: ChangeRequest) => Promise<Changed>;

  constructor(
    private readonly database: Database,
    private readonly repository: PostsRepository,
    private readonly writes: PostWritesRepository,
    private readonly search: PostSearch,
  ) {
    this.#change = database.batched<ChangeRequest, Changed>({
      keyOf: ({ id }) => id,
      lengthOf: ({ content }) => (content ? content.title.length + content.body.length : 0),
      run: (transaction, requests) => this.#changeAll(transaction, requests),
    });
  }

  /** The number of all posts. */
  async count(): Promise<number> {
    return (await this.repository.readState()).count;
  }

  /** @throws PostNotFound */
  async findOrFail(id: number): Promise<Post> {
    const post = await this.#reads.add(id);
    if (!post) throw new PostNotFound(id);
    return post;
  }

  async #read(ids: readonly number[]): Promise<Outcomes<Post | undefined>> {
    if (ids.length === 1) return [{ result: await this.repository.findById(ids[0]!) }];
    const posts = new Map<number, WithLargeBody>();
    for (const post of await this.repository.findByIds(ids)) posts.set(post.id, post);
    return ids.map((id) => {
      const post = posts.get(id);
      // Read alone: all large bodies of a batch at once could exceed the memory.
      return post?.body === null ? undefined : { result: post as Post | undefined };
    });
  }

  /** Stores a post. @throws what the hooks throw */
  async create(post: NewPost, author: Author, hooks?: CreationHooks): Promise<Post> {
    const words = await this.search.wordsOf(post);
    return (await this.#change({ id: undefined, content: post, author, words, hooks }))!;
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
    content: PostReplacement,
    preconditions: Preconditions,
    author: Author,
  ): Promise<Post> {
    const words = await this.search.wordsOf(content);
    return (await this.#change({ id, content, author, words, preconditions }))!;
  }

  /**
   * Deletes the post if it exists and the preconditions hold, in one atomic step.
   *
   * @throws as {@link replace} does
   */
  async delete(id: number, preconditions: Preconditions, author: Author): Promise<void> {
    await this.#change({ id, content: undefined, author, words: undefined, preconditions });
  }

  /**
   * Changes different posts. Each request is decided by itself: the post is locked, and its state is compared with the
   * preconditions, before anything is written.
   */
  async #changeAll(transaction: Transaction, requests: readonly ChangeRequest[]): Promise<Outcomes<Changed>> {
    const ids = requests.flatMap(({ id }) => id ?? []);
    const posts = new Map<number, Post>();
    const large = new Set<number>();
    for (const post of await this.writes.findForUpdate(transaction, ids, requests.length > 1))
      if (hasBody(post)) posts.set(post.id, post);
      else large.add(post.id);
    const isMissing = (id: number): boolean =>
      requests.length === 1 || (!large.has(id) && this.database.dialect.forUpdateOfUnlocked === '');
    const refusals = requests.some(({ hooks }) => hooks) ? await refusalsOf(transaction, requests) : [];
    const changes: PostChange[] = [];
    const decisions: Decision[] = [];
    for (const [index, request] of requests.entries()) {
      const decision = refusals[index] ?? decide(request, posts, isMissing);
      if (decision && 'action' in decision) changes.push(decision);
      decisions.push(decision);
    }
    await this.writes.apply(transaction, changes);
    transaction.changesOnly(
      'posts',
      changes.map(({ before, after }) => (after ?? before).id),
    );
    const outcomes: (Outcome<Changed> | undefined)[] = [];
    const work: Promise<unknown>[] = [];
    for (const [index, decision] of decisions.entries()) {
      if (!decision || !('action' in decision)) {
        outcomes.push(decision);
        continue;
      }
      const { after } = decision;
      outcomes.push({ result: after });
      const { hooks } = requests[index]!;
      if (hooks && after) work.push(hooks.after(transaction, after));
    }
    if (work.length > 0) await Promise.all(work);
    return outcomes;
  }
}

/** Runs the hooks before creations. @returns the outcomes of the creations that they refuse */
function refusalsOf(
  transaction: Transaction,
  requests: readonly ChangeRequest[],
): Promise<(Outcome<never> | undefined)[]> {
  const refusals = requests.map(async ({ hooks }) => {
    try {
      await hooks?.before(transaction);
      return undefined;
    } catch (refused) {
      return { refused };
    }
  });
  return Promise.all(refusals);
}

/** The change to make, or the outcome of a request that changes nothing; undefined for a request that must run alone. */
function decide(
  request: ChangeRequest,
  posts: ReadonlyMap<number, Post>,
  isMissing: (id: number) => boolean,
): Decision {
  const { author, words } = request;
  if (request.id === undefined)
    return { action: 'created', author, before: undefined, after: postAfter(request.content), words };
  const { id, content, preconditions } = request;
  const before = posts.get(id);
  // Posts that another transaction may have locked, and those with large bodies, run alone.
  if (!before) return isMissing(id) ? { refused: new PostNotFound(id) } : undefined;
  try {
    assertMet(preconditions, before);
  } catch (refused) {
    return { refused };
  }
  if (!content) return { action: 'deleted', author, before, after: undefined };
  const pubDate = content.pubDate ?? before.pubDate;
  const after = postAfter({ ...content, pubDate }, id, before.version + 1);
  if (hasSameContent(after, before)) return { result: before };
  return { action: 'changed', author, before, after, words };
}
