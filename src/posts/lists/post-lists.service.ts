import { Injectable } from '@nestjs/common';
import type { Queryable, Snapshot } from '../../database/database.js';
import { type KeysetPage, readKeysetPage } from '../../http/request/keyset-page.js';
import type { PageNeighbours } from '../../http/request/page-cursor.js';
import type { Reader } from '../../http/request/client-shares.js';
import { titleKey } from '../folded-text.js';
import type { Post } from '../post.entity.js';
import { PostsRepository, type PostsState } from '../posts.repository.js';
import { sortKeyOf } from './post-ordering.js';
import type { ListedPost } from './post-pages.repository.js';
import type { Slowly } from './post-search.js';
import { isEmpty, isIndexed, narrowings, type PostFilter, type PostSelection } from './post-selection.js';
import { LargeBodies, PostSnapshots } from './post-snapshots.js';
import { pagesOf, PostStream } from './post-stream.js';

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
  readonly pages: AsyncGenerator<readonly ListedPost[]>;
  readonly onRead?: (() => void) | undefined;
}

/** The most memory for the bodies of a page. A page whose bodies may not fit is read and sent as a stream. */
const MAX_PAGE_BYTES = 4 * 1_024 * 1_024;

/** The database examines this many posts in at most 5 ms. */
const FEW_POSTS = 1_000;

/** Reads lists of posts: pages, streams, and the neighbours of a post. */
@Injectable()
export class PostListsService {
  constructor(
    private readonly repository: PostsRepository,
    private readonly largeBodies: LargeBodies,
    private readonly snapshots: PostSnapshots,
  ) {}

  /**
   * Reads a page of a list.
   *
   * @param counts whether the total is requested
   * @param openReader opens the reader for slow queries and streams, which end when its client disconnects
   */
  async list(asked: PostSelection, counts: boolean, openReader: () => Reader): Promise<PostList> {
    const slowly: Slowly = (work) => this.snapshots.run(openReader(), work);
    const read = async (selection: PostSelection, within?: Queryable) => ({
      page: await this.#page(selection, within, within ? undefined : slowly),
      total: counts ? await this.repository.count(selection.filter, within) : undefined,
    });
    // The state is read first, so that the page includes every change that the state reports.
    const state = await this.repository.readState();
    const fast = await this.#findFast(asked, counts);
    const { page, total } = await (fast ? read(fast) : slowly((within) => read(asked, within)));
    // The search index may be rebuilt while the posts stay the same.
    const isSearch = asked.filter.search !== undefined;
    const isCurrent = isSearch ? undefined : () => this.repository.isCurrent(state);
    const list = { total, state, isCurrent };
    if (areWhole(page.rows)) return Object.assign({}, list, page, { posts: page.rows });
    return this.#open(openReader(), async (snapshot) => {
      const again = await this.#page(fast ?? asked, snapshot);
      return { list: { ...list, ...again }, pages: only(again.rows) };
    });
  }

  /**
   * Streams all selected posts.
   *
   * @param asked by default all fields of all posts, from the start of the list; the limit does not apply
   * @param counts whether the total is requested
   * @param onRead called when the client reads the stream: not for HEAD or a 304
   */
  async stream(
    asked: Pick<PostSelection, 'filter' | 'ordering'> & Partial<PostSelection>,
    counts: boolean,
    openReader: () => Reader,
    onRead?: () => void,
  ): Promise<StreamedList> {
    const selection = { limit: 0, offset: 0, cursor: undefined, fields: undefined, ...asked };
    const reader = openReader();
    const { horizonMs } = await this.repository.readState();
    return this.#open(reader, async (snapshot) => {
      const fast = (await this.#findFast(selection, false, snapshot)) ?? selection;
      const total = counts ? await this.repository.count(fast.filter, snapshot) : undefined;
      const state = { ...(await this.repository.readState(snapshot)), horizonMs };
      const list = { rows: undefined, next: undefined, previous: undefined, total, state };
      return { list, pages: pagesOf(fast, this.repository, snapshot), onRead };
    });
  }

  /** The ids of the previous and the next post in a list; undefined at its ends. */
  async neighboursOf(
    post: Post,
    { filter, ordering }: Pick<PostSelection, 'filter' | 'ordering'>,
    openReader: () => Reader,
  ): Promise<{ previous: number | undefined; next: number | undefined }> {
    const after = sortKeyOf(Object.assign({}, post, { titleKey: titleKey(post.title) }), ordering);
    const find = async (backwards: boolean): Promise<number | undefined> => {
      const page = { filter, ordering, backwards, after, rows: 1, fields: ['id'] } as const;
      const slowly: Slowly = (work) => this.snapshots.run(openReader(), work);
      return (await this.repository.findPage(page, undefined, slowly))[0]?.id;
    };
    return { previous: await find(true), next: await find(false) };
  }

  /** Opens a stream of the posts that `read` selects in a snapshot. */
  async #open(reader: Reader, read: (snapshot: Snapshot) => Promise<OpenList>): Promise<StreamedList> {
    const snapshot = await this.snapshots.open(reader);
    try {
      const { list, pages, onRead } = await read(snapshot);
      const posts = new PostStream(this.repository, snapshot, this.largeBodies, reader, pages, onRead);
      return { ...list, posts };
    } catch (error) {
      await snapshot.close();
      throw error;
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
      (walk) =>
        this.repository.findPage(Object.assign({}, selection, walk, { maxBodyBytes }), within, slowly),
      (post) => sortKeyOf(post, ordering),
    );
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
      const page = { ...narrowing, fields: ['id'], rows: FEW_POSTS } as const;
      const [beyond] = await this.repository.findPage({ ...page, offset: FEW_POSTS, rows: 1 }, within);
      if (!beyond) return (await this.repository.findPage(page, within)).map(({ id }) => id);
    }
    return undefined;
  }
}

function areWhole(rows: readonly ListedPost[]): rows is readonly Partial<Post>[] & readonly ListedPost[] {
  return rows.every(({ body }) => body !== null);
}

async function* only<Item>(item: Item): AsyncGenerator<Item> {
  yield item;
}
