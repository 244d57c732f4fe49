import { Inject, Injectable } from '@nestjs/common';
import type { Queryable, Snapshot } from '../../database/index.js';
import {
  keysetBatches,
  type KeysetPage,
  type KeysetWalk,
  type PageNeighbours,
  readKeysetPage,
} from '../../paging/index.js';
import { ClientQuota, type Reader } from '../../limits/client-quota.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { PostsStateRepository, type PostsState } from '../posts-state.repository.js';
import { ahead } from './ahead.js';
import type { ListedPost, ListedPosts } from './listed-post.js';
import { type PostCondition, PostPagesRepository } from './post-pages.repository.js';
import { PostSearch } from './post-search.js';
import {
  isEmpty,
  isIndexed,
  MAX_BYTES_TOGETHER,
  type PageRequest,
  type PostFilter,
  type PostSelection,
  type SortKeyValues,
} from './post-selection.js';
import { MAX_WAIT_MS, PostSnapshots } from './post-snapshots.js';

/** Posts as of one moment, read at the pace of the client. It must be closed. */
export interface PostStream {
  /** The posts in batches that take little memory. */
  batches(): AsyncGenerator<readonly ListedPost[]>;
  close(): Promise<void>;
}

/** By default all fields of all posts, from the start of the list; a limit does not apply. */
type WholeList = Pick<PostSelection, 'filter' | 'ordering'> & Partial<PostSelection>;

/** A page of a list, or the whole list. */
export interface PostList extends PageNeighbours {
  /** The posts of a page in their order; undefined for the whole list. Their texts may be missing. */
  readonly rows: readonly ListedPost[] | undefined;
  /** The same posts with their texts. A stream must be closed. */
  readonly posts: readonly ListedPost[] | PostStream;
  /** The number of posts in the whole list, if it was asked for. */
  readonly total: number | undefined;
  /** The state of the collection when the list was read, or earlier. */
  readonly state: PostsState;
  /** Whether the list is still the same; undefined when only reading it again can tell. @throws DatabaseFault */
  readonly isCurrent?: (() => Promise<boolean>) | undefined;
}

/** The whole list as a stream. */
export type StreamedList = PostList & { readonly posts: PostStream };

type ReadPage = KeysetPage<ListedPost> & Pick<PostList, 'total'> & Pick<ListedPosts, 'state'>;

interface OpenList extends Pick<PostSelection, 'fields'> {
  readonly list: Omit<PostList, 'posts'>;
  /** Posts of the snapshot, possibly without their texts. */
  readonly pages: Iterable<readonly ListedPost[]> | AsyncIterable<readonly ListedPost[]>;
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
    private readonly search: PostSearch,
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
   * @param openReader opens the reader for slow queries and streams, which end when its client disconnects
   */
  async list(selection: PostSelection, counts: boolean, openReader: () => Reader): Promise<PostList> {
    const { filter, fields } = selection;
    // Read first, so that the page includes every change before it.
    const horizonMs = await this.states.horizonMs();
    const isFast = isIndexed(selection) && (!counts || isEmpty(filter));
    const page = isFast
      ? await this.#read(selection, counts, openReader)
      : await this.snapshots.run(openReader(), (snapshot) =>
          this.#read(selection, counts, openReader, snapshot),
        );
    const state = { ...page.state, horizonMs };
    // The search index may be rebuilt while the posts stay the same.
    const isCurrent = filter.search === undefined ? () => this.states.isCurrent(state) : undefined;
    if (page.rows.every(({ json }) => json !== '')) return { ...page, posts: page.rows, state, isCurrent };
    return this.#open(openReader(), async (snapshot) => {
      const again = await this.#read(selection, false, openReader, snapshot);
      return { list: { ...again, total: page.total, state, isCurrent }, pages: [again.rows], fields };
    });
  }

  /**
   * Streams all selected posts.
   *
   * @param counts whether the total is requested
   */
  async stream(asked: WholeList, counts: boolean, openReader: () => Reader): Promise<StreamedList> {
    const reader = openReader();
    const horizonMs = await this.states.horizonMs();
    return this.#open(reader, async (snapshot) => {
      const state = { ...(await this.states.readState(snapshot)), horizonMs };
      const total = counts ? await this.#count(asked.filter, state, snapshot) : undefined;
      const list = { rows: undefined, next: undefined, previous: undefined, total, state };
      return { list, pages: this.walk(asked, snapshot), fields: asked.fields };
    });
  }

  /** All posts of a selection in batches, possibly without their texts; its limit does not apply. */
  walk(
    { cursor, offset = 0, ...selection }: WholeList,
    snapshot: Snapshot,
  ): AsyncGenerator<readonly ListedPost[]> {
    const after = cursor?.direction === 'next' ? cursor.key : undefined;
    const until = cursor?.direction === 'prev' ? cursor.key : undefined;
    const condition = this.#conditionOf(selection.filter);
    const read = async (walk: KeysetWalk): Promise<ListedPost[]> => {
      const section = { ...selection, until, ...walk, offset: walk.after ? 0 : offset };
      return (await this.pages.find(section, snapshot, condition)).posts;
    };
    // The database reads the next batch while the previous one is written.
    return ahead(keysetBatches({ after, rows: STREAMED_ROWS }, read, sortKeyOf));
  }

  /** @param snapshot where to read from; by default committed data */
  async #read(
    selection: PostSelection,
    counts: boolean,
    openReader: () => Reader,
    snapshot?: Snapshot,
  ): Promise<ReadPage> {
    let state: ListedPosts['state'] | undefined;
    const read = async (walk: KeysetWalk): Promise<ListedPost[]> => {
      const found = await this.#find({ ...selection, ...walk }, openReader, snapshot);
      state ??= found.state;
      return found.posts;
    };
    const page = await readKeysetPage(selection, read, sortKeyOf);
    const total = counts ? await this.#count(selection.filter, state!, snapshot) : undefined;
    return { ...page, total, state: state! };
  }

  async #find(page: PageRequest, openReader: () => Reader, snapshot?: Snapshot): Promise<ListedPosts> {
    const { search } = page.filter;
    if (search === undefined) return this.pages.find(page, snapshot);
    const { page: section, condition, isSlow } = await this.search.narrow(search, page, snapshot);
    if (snapshot || !isSlow) return this.pages.find(section, snapshot, condition);
    return this.snapshots.run(openReader(), (own) => this.pages.find(section, own, condition));
  }

  /** Without a filter, the number comes from the counters; with a filter the posts are counted, which is slow. */
  async #count(
    filter: PostFilter,
    { count }: Pick<PostsState, 'count'>,
    within?: Queryable,
  ): Promise<number> {
    return isEmpty(filter) ? count : this.pages.count(filter, within, this.#conditionOf(filter));
  }

  #conditionOf({ search }: PostFilter): PostCondition | undefined {
    return search === undefined ? undefined : this.search.condition(search);
  }

  /** Opens a stream of the posts that `read` selects in a snapshot. */
  async #open(reader: Reader, read: (snapshot: Snapshot) => Promise<OpenList>): Promise<StreamedList> {
    const snapshot = await this.snapshots.open(reader);
    try {
      const { list, pages, fields } = await read(snapshot);
      const batches = () => this.#batches(pages, fields, snapshot, reader);
      return { ...list, posts: { batches, close: () => snapshot.close() } };
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }

  /** Reads the large bodies in runs that take at most {@link MAX_BYTES_TOGETHER}. */
  async *#batches(
    pages: OpenList['pages'],
    fields: OpenList['fields'],
    snapshot: Snapshot,
    reader: Reader,
  ): AsyncGenerator<readonly ListedPost[]> {
    for await (const posts of pages) {
      for (const run of runsOf(posts)) {
        if (run[0]!.json !== '') {
          yield run;
          continue;
        }
        const bytes = run.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
        const release = await this.#largeBodies.wait(reader, COPIES * bytes);
        try {
          yield await this.pages.withTexts(run, fields, snapshot);
        } finally {
          release();
        }
      }
    }
  }
}

function sortKeyOf(post: ListedPost): SortKeyValues {
  return post.sortKey;
}

/** Divides posts into runs of posts that have been read, and of posts that can be read together. */
function* runsOf(posts: readonly ListedPost[]): Generator<readonly ListedPost[]> {
  let run: ListedPost[] = [];
  let bytes = 0;
  for (const post of posts) {
    const isRead = post.json !== '';
    const postBytes = isRead ? 0 : post.bodyBytes;
    bytes += postBytes;
    if (run[0] && (isRead !== (run[0].json !== '') || bytes > MAX_BYTES_TOGETHER)) {
      yield run;
      run = [];
      bytes = postBytes;
    }
    run.push(post);
  }
  if (run.length > 0) yield run;
}
