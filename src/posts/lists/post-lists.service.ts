import { Inject, Injectable } from '@nestjs/common';
import type { Queryable, Snapshot } from '../../database/database.js';
import { keysetBatches, type KeysetPage, readKeysetPage } from '../../http/request/keyset-page.js';
import type { PageNeighbours } from '../../http/request/page-cursor.js';
import { ClientQuota, type Reader } from '../../limits/client-quota.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { titleKey } from '../folded-text.js';
import type { Post } from '../post.entity.js';
import { PostsRepository, type PostsState } from '../posts.repository.js';
import { sortKeyOf } from './post-ordering.js';
import { ahead } from './ahead.js';
import { LARGE_BODY_BYTES, type ListedPost, PostPagesRepository } from './post-pages.repository.js';
import type { Slowly } from './post-search.js';
import { isEmpty, isIndexed, narrowings, type PostFilter, type PostSelection } from './post-selection.js';
import { MAX_WAIT_MS, PostSnapshots } from './post-snapshots.js';

/** Posts as of one moment, read at the pace of the client. It must be closed. */
export interface PostStream {
  /** The requested fields of the posts, in batches that take little memory. */
  batches(): AsyncGenerator<readonly Partial<Post>[]>;
  close(): Promise<void>;
}

/** A page of a list, or the whole list. */
export interface PostList extends PageNeighbours {
  /** The posts of a page in their order; undefined for the whole list. Bodies may be missing. */
  readonly rows: readonly ListedPost[] | undefined;
  /** The same posts with their bodies. A stream must be closed. */
  readonly posts: readonly Partial<Post>[] | PostStream;
  /** The number of posts in the whole list, if it was asked for. */
  readonly total: number | undefined;
  /** The state of the collection when the list was read, or earlier. */
  readonly state: PostsState;
  /** Whether the list is still the same; undefined when only reading it again can tell. @throws DatabaseFault */
  readonly isCurrent?: (() => Promise<boolean>) | undefined;
}

/** The whole list as a stream. */
export type StreamedList = PostList & { readonly posts: PostStream };

interface OpenList {
  readonly list: Omit<PostList, 'posts'>;
  /** Posts of the snapshot, possibly without their bodies. */
  readonly pages: Iterable<readonly ListedPost[]> | AsyncIterable<readonly ListedPost[]>;
}

/** Few, so that the first bytes are sent at once: at most 3 MiB, with the largest bodies that are read together. */
const STREAMED_ROWS = 200;

/** The number of largest bodies that streams may hold. Each takes several times its size until it is sent. */
const LARGEST_BODIES = 2;
/** The minimum: with a small MAX_BODY_BYTES, larger bodies may have been stored before. */
const MIN_BYTES = 64 * 1_024 * 1_024;

/** The most memory for the bodies of a page. A page whose bodies may not fit is read and sent as a stream. */
const MAX_PAGE_BYTES = 4 * 1_024 * 1_024;

/** The database examines this many posts in at most 5 ms. */
const FEW_POSTS = 1_000;

/** Reads lists of posts: pages, streams, and the neighbours of a post. */
@Injectable()
export class PostListsService {
  /** Limits the bytes of large bodies that all streams together have read and not sent. */
  readonly #largeBodies: ClientQuota;

  constructor(
    private readonly repository: PostsRepository,
    private readonly pages: PostPagesRepository,
    private readonly snapshots: PostSnapshots,
    @Inject(SETTINGS) { maxBodyBytes }: Pick<Settings, 'maxBodyBytes'>,
  ) {
    const bytes = Math.max(LARGEST_BODIES * maxBodyBytes, MIN_BYTES);
    this.#largeBodies = new ClientQuota(bytes, MAX_WAIT_MS);
  }

  /**
   * Reads a page of a list.
   *
   * @param counts whether the total is requested
   * @param openReader opens the reader for slow queries and streams, which end when its client disconnects
   */
  async list(asked: PostSelection, counts: boolean, openReader: () => Reader): Promise<PostList> {
    const slowly: Slowly = (work) => this.snapshots.run(openReader(), work);
    // The state is read first, so that the page includes every change that the state reports.
    const state = await this.repository.readState();
    const read = async (selection: PostSelection, within?: Queryable) => ({
      page: await this.#page(selection, within, within ? undefined : slowly),
      total: counts ? await this.#count(selection.filter, state, within) : undefined,
    });
    const fast = await this.#findFast(asked, counts);
    const { page, total } = await (fast ? read(fast) : slowly((within) => read(asked, within)));
    // The search index may be rebuilt while the posts stay the same.
    const isSearch = asked.filter.search !== undefined;
    const isCurrent = isSearch ? undefined : () => this.repository.isCurrent(state);
    const list = { total, state, isCurrent };
    if (areWhole(page.rows)) return Object.assign({}, list, page, { posts: page.rows });
    return this.#open(openReader(), async (snapshot) => {
      const again = await this.#page(fast ?? asked, snapshot);
      return { list: { ...list, ...again }, pages: [again.rows] };
    });
  }

  /**
   * Streams all selected posts.
   *
   * @param asked by default all fields of all posts, from the start of the list; the limit does not apply
   * @param counts whether the total is requested
   */
  async stream(
    asked: Pick<PostSelection, 'filter' | 'ordering'> & Partial<PostSelection>,
    counts: boolean,
    openReader: () => Reader,
  ): Promise<StreamedList> {
    const selection = { limit: 0, offset: 0, cursor: undefined, fields: undefined, ...asked };
    const reader = openReader();
    const { horizonMs } = await this.repository.readState();
    return this.#open(reader, async (snapshot) => {
      const fast = (await this.#findFast(selection, false, snapshot)) ?? selection;
      const state = { ...(await this.repository.readState(snapshot)), horizonMs };
      const total = counts ? await this.#count(fast.filter, state, snapshot) : undefined;
      const list = { rows: undefined, next: undefined, previous: undefined, total, state };
      return { list, pages: this.#pagesOf(fast, snapshot) };
    });
  }

  /** The ids of the previous and the next post in a list; undefined at its ends. */
  neighboursOf(
    post: Post,
    { filter, ordering }: Pick<PostSelection, 'filter' | 'ordering'>,
    openReader: () => Reader,
  ): Promise<{ previous: number | undefined; next: number | undefined }> {
    const after = sortKeyOf(Object.assign({}, post, { titleKey: titleKey(post.title) }), ordering);
    // Without an index for the filter in this order, the database examines many posts.
    return this.snapshots.run(openReader(), async (snapshot) => {
      const find = async (backwards: boolean): Promise<number | undefined> => {
        const page = { filter, ordering, backwards, after, rows: 1, fields: ['id'] } as const;
        return (await this.pages.findPage(page, snapshot))[0]?.id;
      };
      return { previous: await find(true), next: await find(false) };
    });
  }

  /** Opens a stream of the posts that `read` selects in a snapshot. */
  async #open(reader: Reader, read: (snapshot: Snapshot) => Promise<OpenList>): Promise<StreamedList> {
    const snapshot = await this.snapshots.open(reader);
    try {
      const { list, pages } = await read(snapshot);
      const batches = () => this.#batches(pages, snapshot, reader);
      return { ...list, posts: { batches, close: () => snapshot.close() } };
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }

  /** All posts of a selection; its limit does not apply. */
  #pagesOf(
    { cursor, offset, ...selection }: PostSelection,
    snapshot: Snapshot,
  ): AsyncGenerator<readonly ListedPost[]> {
    const after = cursor?.direction === 'next' ? cursor.key : undefined;
    const until = cursor?.direction === 'prev' ? cursor.key : undefined;
    const section = { ...selection, until, maxBodyBytes: LARGE_BODY_BYTES };
    const pages = keysetBatches(
      { after, rows: STREAMED_ROWS },
      (walk) => this.pages.findPage({ ...section, ...walk, offset: walk.after ? 0 : offset }, snapshot),
      (post) => sortKeyOf(post, selection.ordering),
    );
    // The database reads the next batch while the previous one is written.
    return ahead(pages);
  }

  /** Reads the large bodies one by one. */
  async *#batches(
    pages: OpenList['pages'],
    snapshot: Snapshot,
    reader: Reader,
  ): AsyncGenerator<readonly Partial<Post>[]> {
    for await (const posts of pages) {
      let start = 0;
      for (const [index, { id, body, bodyBytes }] of posts.entries()) {
        if (body !== null) continue;
        if (index > start) yield posts.slice(start, index) as Partial<Post>[];
        const release = await this.#largeBodies.wait(reader, bodyBytes);
        try {
          const whole = await this.repository.findById(id, snapshot);
          yield [whole!];
        } finally {
          release();
        }
        start = index + 1;
      }
      if (start < posts.length) yield posts.slice(start) as Partial<Post>[];
    }
  }

  /**
   * @param within where to read from; by default committed data
   * @param slowly runs a query that turns out to be slow
   */
  async #page(
    selection: PostSelection,
    within?: Queryable,
    slowly?: Slowly,
  ): Promise<KeysetPage<ListedPost>> {
    const { limit, ordering } = selection;
    const maxBodyBytes = Math.floor(MAX_PAGE_BYTES / limit);
    return readKeysetPage(
      selection,
      (walk) => this.pages.findPage(Object.assign({}, selection, walk, { maxBodyBytes }), within, slowly),
      (post) => sortKeyOf(post, ordering),
    );
  }

  /** Without a filter, the number comes from the counters; with a filter the posts are counted, which is slow. */
  async #count(filter: PostFilter, { count }: PostsState, within?: Queryable): Promise<number> {
    return isEmpty(filter) ? count : this.pages.count(filter, within);
  }

  /**
   * The selection in a form that the reader reads and counts fast, so that the queries of other requests do not wait;
   * undefined when there is none. A selection of few posts contains their ids.
   */
  async #findFast(
    selection: PostSelection,
    counts: boolean,
    within?: Queryable,
  ): Promise<PostSelection | undefined> {
    const { filter } = selection;
    const countsMatches = counts && !isEmpty(filter);
    if (isIndexed(selection) && !countsMatches) return selection;
    if (countsMatches && filter.search !== undefined) return undefined;
    const ids = await this.#findFew(filter, within);
    return ids && { ...selection, filter: { ...filter, id: ids } };
  }

  /**
   * The ids of some posts among which all matches of the filter are, if they are few enough to be examined at once;
   * otherwise undefined. (SQLite may prefer the index of the list's order to that of the filter, and scan all posts.)
   */
  async #findFew(filter: PostFilter, within?: Queryable): Promise<readonly number[] | undefined> {
    if (filter.id) return filter.id;
    for (const narrowing of narrowings(filter)) {
      const page = { ...narrowing, fields: ['id'], rows: FEW_POSTS + 1 } as const;
      const posts = await this.pages.findPage(page, within);
      if (posts.length <= FEW_POSTS) return posts.map(({ id }) => id);
    }
    return undefined;
  }
}

function areWhole(rows: readonly ListedPost[]): rows is readonly Partial<Post>[] & readonly ListedPost[] {
  return rows.every(({ body }) => body !== null);
}
