import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../database/database.js';
import type { PageCursor, PageNeighbours } from '../../http/response/page-links.js';
import type { Reader } from '../../http/response/response-reader.js';
import type { Slowly } from '../../search/search-pages.js';
import type { Post } from '../post.entity.js';
import { PostsRepository, type PostsState } from '../posts.repository.js';
import { including, sortKeyOf, type SortKeyValues } from './post-ordering.js';
import { isEmpty, isIndexed, type PostSelection } from './post-selection.js';
import { LargeBodies, PostSnapshots } from './post-snapshots.js';
import { PostStream, withLargeBodies } from './post-stream.js';

/** A page of a list, and the cursors to its neighbours, if there are any. */
export interface PostPage extends PageNeighbours {
  /** In the order of the list. Fields that were not requested are absent, and a large body is null. */
  readonly posts: readonly Partial<Post>[];
}

/** A page whose large bodies are read on demand. */
export interface OpenPage extends PostPage {
  /** The posts with all their bodies, in batches. */
  whole(): AsyncIterable<readonly Partial<Post>[]>;
  close(): Promise<void>;
}

/** The result of a list: a page, or the whole list as a stream. */
export type PostList = ListedPage | ListedStream;

/** The state of the collection when the list was read, or earlier. */
export interface ListedState {
  readonly state: PostsState;
}

export interface ListedPage extends ListedState {
  readonly page: PostPage | OpenPage;
  /** The number of posts in the whole list, if the client prefers to know it. */
  readonly total: number | undefined;
  /** Whether the list is still the same; undefined when only reading it again can tell. @throws DatabaseFault */
  readonly isCurrent: (() => Promise<boolean>) | undefined;
}

export interface ListedStream extends ListedState {
  readonly stream: PostStream;
  readonly total: number | undefined;
  /** Called when the stream is read. */
  readonly onRead?: () => void;
}

/**
 * The total size of large bodies that a page may hold in memory. Beyond it, they are read one by one from a snapshot,
 * and the number of snapshots is limited.
 */
const MAX_GATHERED_BYTES = 4 * 1_024 * 1_024;

/** Reads lists of posts: pages, streams, and the neighbours of a post. */
@Injectable()
export class PostListsService {
  constructor(
    private readonly repository: PostsRepository,
    private readonly largeBodies: LargeBodies,
    private readonly snapshots: PostSnapshots,
  ) {}

  /**
   * Reads a page of a list. A page with large bodies is open, and must be closed.
   *
   * @param counts whether the total is requested
   * @param openReader opens the reader for slow queries and open pages, which end when its client disconnects
   */
  async list(asked: PostSelection, counts: boolean, openReader: () => Reader): Promise<ListedPage> {
    const slowly: Slowly = (work) => this.snapshots.run(openReader(), work);
    const read = async (selection: PostSelection, within?: Queryable) => ({
      page: await this.#page(selection, within, within ? undefined : slowly),
      total: counts ? await this.repository.count(selection.filter, within) : undefined,
    });
    // The state is read first, so that the page includes every change that the state reports.
    const state = await this.repository.readState();
    const fast = await this.#findFast(asked, counts);
    const selection = fast ?? asked;
    const { page, total } = fast ? await read(fast) : await slowly((within) => read(asked, within));
    const hasLargeBodies = page.posts.some(({ body }) => body === null);
    return {
      page: hasLargeBodies ? await this.#openPage(selection, openReader()) : page,
      total,
      state,
      // The search index may be rebuilt while the posts stay the same.
      isCurrent: asked.filter.search === undefined ? this.#detectorOf(state) : undefined,
    };
  }

  /**
   * Streams all selected posts; the limit does not apply. The stream must be closed.
   *
   * @param counts whether the total is requested
   */
  async stream(selection: PostSelection, counts: boolean, openReader: () => Reader): Promise<ListedStream> {
    const reader = openReader();
    const { horizonMs } = await this.repository.readState();
    const snapshot = await this.snapshots.open(reader);
    try {
      const fast = (await this.#findFast(selection, false, snapshot)) ?? selection;
      const stream = new PostStream(this.repository, snapshot, fast, this.largeBodies, reader);
      const total = counts ? await stream.count() : undefined;
      return { stream, total, state: { ...(await stream.state()), horizonMs } };
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }

  /**
   * @param within where to read from; by default committed data
   * @param slowly runs a query that turns out to be slow
   */
  async #page(selection: PostSelection, within?: Queryable, slowly?: Slowly): Promise<PostPage> {
    const { cursor, limit, ordering } = selection;
    const backwards = cursor?.direction === 'prev';
    const after = cursor?.key;
    // One row more than the page shows whether there is more in the direction of the walk.
    const page = { ...selection, backwards, after, rows: limit + 1, leavesOutLargeBodies: true };
    let rows = await this.repository.findPage(page, within, slowly);
    if (await this.#mayGather(rows, within)) {
      rows = await this.repository.findPage({ ...page, leavesOutLargeBodies: false }, within, slowly);
    }
    const hasMore = rows.length > limit;
    if (hasMore) rows.pop();
    const onward = hasMore ? sortKeyOf(rows.at(-1)!, ordering) : undefined;
    const back = await this.#behindStart(selection, rows[0], within, slowly);
    return {
      posts: backwards ? rows.toReversed() : rows,
      next: cursorTo('next', backwards ? back : onward),
      previous: cursorTo('prev', backwards ? onward : back),
    };
  }

  /** The ids of the previous and the next post in a list; undefined at its ends. */
  async neighboursOf(
    post: Post,
    { filter, ordering }: Pick<PostSelection, 'filter' | 'ordering'>,
    openReader: () => Reader,
  ): Promise<{ previous: number | undefined; next: number | undefined }> {
    const after = sortKeyOf(post, ordering);
    const find = async (backwards: boolean): Promise<number | undefined> => {
      const page = { filter, ordering, backwards, after, offset: 0, rows: 1, fields: ['id'] } as const;
      const slowly: Slowly = (work) => this.snapshots.run(openReader(), work);
      return (await this.repository.findPage(page, undefined, slowly))[0]?.id;
    };
    return { previous: await find(true), next: await find(false) };
  }

  /** Opens a page whose large bodies are read one by one, on demand. It must be closed. */
  async #openPage(selection: PostSelection, reader: Reader): Promise<OpenPage> {
    const snapshot = await this.snapshots.open(reader);
    try {
      const page = await this.#page(selection, snapshot);
      return {
        ...page,
        whole: () => withLargeBodies(page.posts, this.repository, snapshot, this.largeBodies, reader),
        close: () => snapshot.close(),
      };
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }

  /** Detects changes of posts since the state. */
  #detectorOf({ changes, modified }: PostsState): () => Promise<boolean> {
    return async () => {
      const now = await this.repository.readSharedState();
      return now.changes === changes && now.modified === modified;
    };
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
    const ids = await this.repository.findFew(filter, within);
    return ids && { ...selection, filter: { ...filter, id: ids } };
  }

  /** Whether bodies were left out that together are small enough to hold in memory. */
  async #mayGather(rows: readonly Partial<Post>[], within?: Queryable): Promise<boolean> {
    const ids = rows.filter(({ body }) => body === null).map(({ id }) => id!);
    return ids.length > 0 && (await this.repository.bodyBytes(ids, within)) <= MAX_GATHERED_BYTES;
  }

  /**
   * The key from which the neighbour page at the start of the walk is read, against the direction of the walk.
   * Undefined when there is no such page.
   */
  async #behindStart(
    selection: PostSelection,
    first: Partial<Post> | undefined,
    within: Queryable | undefined,
    slowly: Slowly | undefined,
  ): Promise<SortKeyValues | undefined> {
    const { cursor, offset, ordering } = selection;
    if (!cursor && offset === 0) return undefined;
    const backwards = cursor?.direction !== 'prev';
    // An empty page is preceded by the posts up to and including its own cursor.
    const start = first ? sortKeyOf(first, ordering) : including(cursor?.key ?? [], ordering, backwards);
    if (first && !cursor) return start;
    const [neighbour] = await this.repository.findPage(
      { ...selection, backwards, after: start, offset: 0, rows: 1, fields: ['id'] },
      within,
      slowly,
    );
    return neighbour && start;
  }
}

function cursorTo(
  direction: PageCursor['direction'],
  key: SortKeyValues | undefined,
): PageCursor | undefined {
  return key && { direction, key };
}
