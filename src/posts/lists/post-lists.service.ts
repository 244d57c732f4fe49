import { Inject, Injectable } from '@nestjs/common';
import type { Queryable, Snapshot } from '../../database/index.js';
import { type KeysetPage, type KeysetWalk, readKeysetPage } from '../../paging/index.js';
import { type Client, ClientQuota } from '../../limits/index.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { PostsStateRepository, type PostsState } from '../posts-state.repository.js';
import { prefetched } from './prefetched.js';
import {
  areWritten,
  type LargePost,
  type ListedPost,
  type ListedPosts,
  sortKeyOf,
  type WrittenPosts,
} from './listed-post.js';
import { type PostCondition, PostPagesRepository } from './post-pages.repository.js';
import { type NarrowedPage, PostFinders } from './post-finders.js';
import {
  filtersOf,
  isEmpty,
  isInIndexOrder,
  MAX_BYTES_AT_ONCE,
  MAX_BYTES_TOGETHER,
  type PageRequest,
  type PostFilter,
  type PostSelection,
} from './post-selection.js';
import { MAX_WAIT_MS, PostSnapshots } from './post-snapshots.js';

/** Posts as of one moment, read at the pace of the client. It must be closed. */
export interface PostStream {
  /** The posts in batches that take little memory. */
  batches(): AsyncGenerator<WrittenPosts | LargePost>;
  close(): Promise<void>;
}

/** By default all fields of all posts, from the start of the list; a limit does not apply. */
type WholeList = Pick<PostSelection, 'filter' | 'ordering'> & Partial<PostSelection>;

/** A page of a list, or the whole list. */
export interface PostList extends Pick<KeysetPage<ListedPost>, 'next' | 'previous'> {
  /** The posts of a page in their order; undefined for the whole list. */
  readonly rows: readonly ListedPost[] | undefined;
  /** The same posts as JSON, or a stream of them, which must be closed. */
  readonly posts: WrittenPosts | PostStream;
  /** The number of posts in the whole list, if it was asked for. */
  readonly total: number | undefined;
  /** The state of the collection when the list was read, or earlier. */
  readonly state: PostsState;
  /** Whether the list is still the same; undefined when only reading it again can tell. @throws DatabaseFault */
  readonly isCurrent?: (() => Promise<boolean>) | undefined;
}

/** The whole list as a stream. */
export type StreamedList = PostList & { readonly posts: PostStream };

type ReadPage = KeysetPage<ListedPost> & Pick<PostList, 'total'> & Pick<ListedPosts, 'items' | 'state'>;

/** Posts of a snapshot that were read together. */
type Section = Pick<ListedPosts, 'posts' | 'items'> & Pick<PageRequest, 'rows'>;

interface OpenList {
  readonly list: Omit<PostList, 'posts'>;
  readonly sections: Iterable<Section> | AsyncIterable<Section>;
}

/** Few, so that the first bytes are sent at once. */
const STREAMED_ROWS = 200;

/** The number of largest bodies that streams may hold. */
const LARGEST_BODIES = 2;
/** A body takes several times its size until it is sent: as JSON in the database, as text, and as bytes. */
const COPIES = 4;
/** The minimum: with a small MAX_BODY_BYTES, larger bodies may have been stored before. */
const MIN_BYTES = 64 * 1_024 * 1_024;

/** Reads lists of posts: pages and streams. */
@Injectable()
export class PostListsService {
  /** Limits the bytes of large bodies that all streams together have read and not sent. */
  readonly #largeBodies: ClientQuota;

  constructor(
    private readonly states: PostsStateRepository,
    private readonly pages: PostPagesRepository,
    private readonly finders: PostFinders,
    private readonly snapshots: PostSnapshots,
    @Inject(SETTINGS) { maxBodyBytes }: Pick<Settings, 'maxBodyBytes'>,
  ) {
    const bytes = Math.max(LARGEST_BODIES * maxBodyBytes, MIN_BYTES);
    this.#largeBodies = new ClientQuota(bytes, MAX_WAIT_MS);
  }

  /**
   * Reads a page of a list. A page of many large bodies becomes a stream.
   *
   * @param counts whether the total is requested
   * @param client the client, with which slow queries and streams end
   */
  async list(selection: PostSelection, counts: boolean, client: Client): Promise<PostList> {
    // Read first, so that the page includes every change before it.
    const horizonMs = await this.states.horizonMs();
    const page = this.#isQuick(selection, counts)
      ? await this.#read(selection, counts, client)
      : await this.snapshots.run(client, (snapshot) => this.#read(selection, counts, client, snapshot));
    const state = { ...page.state, horizonMs };
    const { rows, items, next, previous, total } = page;
    const list = { rows, next, previous, total, state, isCurrent: this.#isCurrent(selection, state) };
    if (areWritten(rows, sectionOf(selection))) return { ...list, posts: { posts: rows, items } };
    return this.#open(selection, client, async (snapshot) => {
      const again = await this.#read(selection, false, client, snapshot);
      const section = { ...sectionOf(selection), posts: [...again.rows], items: again.items };
      return { list: { ...list, ...again, state, total }, sections: [section] };
    });
  }

  /**
   * Streams all selected posts.
   *
   * @param counts whether the total is requested
   */
  async stream(selection: WholeList, counts: boolean, client: Client): Promise<StreamedList> {
    const horizonMs = await this.states.horizonMs();
    return this.#open(selection, client, async (snapshot) => {
      const state = { ...(await this.states.readState(snapshot)), horizonMs };
      const total = counts ? await this.#count(selection.filter, state, snapshot) : undefined;
      const list = { rows: undefined, next: undefined, previous: undefined, total, state };
      return { list, sections: this.walk(selection, snapshot) };
    });
  }

  /** All posts of a selection in sections, possibly without some texts; its limit does not apply. */
  walk(selection: WholeList, snapshot: Snapshot): AsyncGenerator<Section> {
    // The database reads the next section while the previous one is written.
    return prefetched(this.#sections(selection, snapshot));
  }

  async *#sections(
    { cursor, offset = 0, ...selection }: WholeList,
    snapshot: Snapshot,
  ): AsyncGenerator<Section> {
    const start = cursor?.direction === 'next' ? cursor.key : undefined;
    const until = cursor?.direction === 'prev' ? cursor.key : undefined;
    const found = this.finders.of(selection.filter);
    const condition = await found?.finder.condition(found.value, snapshot);
    const rows = STREAMED_ROWS;
    for (let after = start, skipped = offset; ; skipped = 0) {
      const section = { ...selection, until, after, offset: skipped, rows };
      const { posts, items } = await this.pages.find(section, snapshot, condition);
      yield { posts, items, rows };
      if (posts.length < rows) return;
      after = sortKeyOf(posts.at(-1)!);
    }
  }

  /** Whether the page reads few posts more than it shows. Others run in snapshots, so that nothing waits for them. */
  #isQuick(selection: PostSelection, counts: boolean): boolean {
    const { filter } = selection;
    return (filter.id !== undefined || isInIndexOrder(selection)) && (!counts || isEmpty(filter));
  }

  /** A finder may find others while the posts stay the same: its index may be rebuilt. */
  #isCurrent({ filter }: PostSelection, state: PostsState): PostList['isCurrent'] {
    return this.finders.of(filter) ? undefined : () => this.states.isCurrent(state);
  }

  /** @param snapshot where to read from; by default committed data */
  async #read(
    selection: PostSelection,
    counts: boolean,
    client: Client,
    snapshot?: Snapshot,
  ): Promise<ReadPage> {
    // The page is read first. To know whether there is a page before an empty one, readKeysetPage() reads one post more.
    let first: ListedPosts | undefined;
    let narrowed: NarrowedPage | undefined;
    const read = async (walk: KeysetWalk): Promise<ListedPost[]> => {
      const page = { ...selection, ...walk, shownRows: Math.min(walk.rows, selection.limit) };
      narrowed = await this.#narrow(page, client, snapshot, narrowed);
      const found = await this.#find(narrowed, client, snapshot);
      first ??= found;
      return found.posts;
    };
    const page = await readKeysetPage(selection, read, sortKeyOf);
    const { items, state } = first!;
    const total = counts
      ? await this.#count(selection.filter, state, snapshot, conditionOfAll(narrowed))
      : undefined;
    return { ...page, items, total, state };
  }

  /**
   * How to read a page.
   *
   * @param before how another page of the same list was read: a condition for all of its posts is not looked for again
   */
  async #narrow(
    page: PageRequest,
    client: Client,
    snapshot: Snapshot | undefined,
    before: NarrowedPage | undefined,
  ): Promise<NarrowedPage> {
    const found = this.finders.of(page.filter);
    if (!found) return { page, isSlow: false };
    if (before?.condition) return { ...before, page: { ...page, inIndexOrder: before.page.inIndexOrder } };
    const within = snapshot ?? this.pages.readerOf(client);
    return found.finder.narrow(found.value, page, within, client.name);
  }

  async #find(
    { page, condition, isSlow }: NarrowedPage,
    client: Client,
    snapshot?: Snapshot,
  ): Promise<ListedPosts> {
    if (snapshot) return this.pages.find(page, snapshot, condition);
    if (isSlow) return this.snapshots.run(client, (own) => this.pages.find(page, own, condition));
    if (!condition) return this.pages.findFor(client, page);
    return this.pages.find(page, this.pages.readerOf(client), condition);
  }

  /**
   * Without a filter, the number comes from the counters; with a filter the posts are counted, which is slow.
   *
   * @param known the condition of the finder, if it has been found for a page
   */
  async #count(
    filter: PostFilter,
    { count }: Pick<PostsState, 'count'>,
    within: Queryable | undefined,
    known?: PostCondition,
  ): Promise<number> {
    if (!within || isEmpty(filter)) return count;
    const found = this.finders.of(filter);
    if (found && filtersOf(filter).length === 0) return found.finder.count(found.value, within);
    const condition = known ?? (await found?.finder.countCondition(found.value, within));
    return this.pages.count(filter, within, condition);
  }

  /** Opens a stream of the posts that `read` finds in a snapshot. */
  async #open(
    selection: WholeList,
    client: Client,
    read: (snapshot: Snapshot) => Promise<OpenList>,
  ): Promise<StreamedList> {
    const snapshot = await this.snapshots.open(client);
    try {
      const { list, sections } = await read(snapshot);
      const batches = () => this.#batches(sections, selection, snapshot, client);
      return { ...list, posts: { batches, close: () => snapshot.close() } };
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }

  /** Reads sections with large bodies again, in runs that take at most {@link MAX_BYTES_TOGETHER}. */
  async *#batches(
    sections: OpenList['sections'],
    selection: WholeList,
    snapshot: Snapshot,
    client: Client,
  ): AsyncGenerator<WrittenPosts | LargePost> {
    for await (const section of sections) {
      if (areWritten(section.posts, section)) {
        yield section;
        continue;
      }
      for (const run of runsOf(section.posts)) {
        const bytes = run.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
        const release = await this.#largeBodies.wait(client, COPIES * bytes);
        try {
          const [first] = run;
          const isLarge = run.length === 1 && first!.bodyBytes > MAX_BYTES_AT_ONCE;
          yield isLarge
            ? { large: await this.pages.findWhole(first!, snapshot) }
            : await this.pages.withTexts(run, selection, snapshot);
        } finally {
          release();
        }
      }
    }
  }
}

/** The condition for all posts of a finder; undefined where it is written for one page, or not known. */
function conditionOfAll(narrowed: NarrowedPage | undefined): PostCondition | undefined {
  return narrowed?.page.inIndexOrder === false ? narrowed.condition : undefined;
}

/** One post more is read than the page shows. */
function sectionOf({ limit }: PostSelection): Pick<PageRequest, 'rows'> {
  return { rows: limit + 1 };
}

/** Divides posts into runs of those that can be read together. One with a very large body is alone. */
function* runsOf(posts: readonly ListedPost[]): Generator<readonly ListedPost[]> {
  let run: ListedPost[] = [];
  let bytes = 0;
  for (const post of posts) {
    bytes += post.bodyBytes;
    const isAlone = Math.max(post.bodyBytes, run.at(-1)?.bodyBytes ?? 0) > MAX_BYTES_AT_ONCE;
    if (run.length > 0 && (isAlone || bytes > MAX_BYTES_TOGETHER)) {
      yield run;
      run = [];
      bytes = post.bodyBytes;
    }
    run.push(post);
  }
  if (run.length > 0) yield run;
}
