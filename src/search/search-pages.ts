import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../database/index.js';
import { areWritten, contentsOf, type ListedPost, type WrittenPosts } from '../posts/lists/listed-post.js';
import { isOneOfThese } from '../posts/lists/list-queries.js';
import { type PostCondition, PostPagesRepository } from '../posts/lists/post-pages.repository.js';
import { type NarrowedPage, type PostFinder, PostFinders } from '../posts/lists/post-finders.js';
import { isInIndexOrder, type PageRequest } from '../posts/lists/post-selection.js';
import type { Post } from '../posts/post.entity.js';
import { isSlowToFold, whenTimeToFold } from './fold.js';
import { isCollectedMatch, isMatch, NOTHING, type SearchQueries, searchQueries } from './search-queries.js';
import { matches, parseSearch, type SearchTerms } from './search-terms.js';

/** Up to this many matches are read one by one and sorted: some 20 ms. */
const FEW_MATCHES = 10_000;
/** How many posts of the list are checked one by one before the index is asked: some milliseconds. */
const WALKED_POSTS = 1_000;
/**
 * How many of them at most, when so many of the first ones match that the page should be among them: some 0.15 s, where the
 * database checks them. Collecting the matches of a word of 300,000 posts takes 0.3 s.
 */
const MAX_WALKED_POSTS = 20_000;
/** The matches may be less frequent behind the first posts. */
const WALK_MARGIN = 1.25;
/** How many of them the database may leave to this process to check. */
const CHECKED_POSTS = 128;
/** How long this process checks posts at a time, and in all before it asks the index. Most posts take microseconds. */
const CHECKING_STEP_MS = 4;
const MAX_CHECKING_MS = 40;

/**
 * Finds out how to read a page of search results, in the order of the list, with a few statements.
 *
 * The index returns its matches in no useful order, so even the first page takes time in proportion to all matches. So
 * the page is first taken from the next posts of the list, where those of a common search are. If there are too few, the
 * index finds them: up to {@link FEW_MATCHES} are read and sorted. Of more, the page is taken from farther posts of the list;
 * or the database collects the ids, and checks the posts of the list against them.
 */
@Injectable()
export class SearchPages implements PostFinder {
  private readonly queries: SearchQueries;

  constructor(
    private readonly database: Database,
    private readonly pages: PostPagesRepository,
    finders: PostFinders,
  ) {
    finders.add('search', this);
    this.queries = searchQueries(database.dialect);
  }

  matcherOf(search: string): ((text: string) => boolean) | undefined {
    const terms = parseSearch(search);
    return terms && ((text) => matches(terms, text, ''));
  }

  async narrow(search: string, page: PageRequest, within: Queryable, client: string): Promise<NarrowedPage> {
    const terms = parseSearch(search);
    if (!terms) return { page, condition: NOTHING, isSlow: false };
    const first = await this.#walk(terms, page, WALKED_POSTS, within, client);
    const ids = first && idsOfPage(first, page);
    if (ids) return onlyThese(page, ids);
    const few = await this.#findFew(terms, within);
    if (few) return { page, condition: few, isSlow: false };
    const posts = postsToWalk(first, page);
    const farther = posts && (await this.#walk(terms, page, posts, within, client));
    const fartherIds = farther && idsOfPage(farther, page);
    if (fartherIds) return onlyThese(page, fartherIds);
    const condition = await this.#matches(terms, within);
    if (isInIndexOrder(page))
      return { page, condition: isCollectedMatch(this.queries, condition), isSlow: true };
    const unordered = this.queries.sortsUnordered ? { ...page, inIndexOrder: false } : page;
    return { page: unordered, condition, isSlow: true };
  }

  /** The index knows it without the posts: it has a row for each of them. */
  async count(search: string, within: Queryable): Promise<number> {
    const terms = parseSearch(search);
    if (!terms) return 0;
    const [found] = await within.all(this.queries.count, { match: this.queries.matchOf(terms) });
    return found!.count;
  }

  async countCondition(search: string, within: Queryable): Promise<PostCondition> {
    const terms = parseSearch(search);
    if (!terms) return NOTHING;
    return (await this.#findFew(terms, within)) ?? this.condition(search, within);
  }

  async condition(search: string, within: Queryable): Promise<PostCondition> {
    const terms = parseSearch(search);
    if (!terms) return NOTHING;
    return this.#matches(terms, within);
  }

  /** The matches of the index; undefined when there are more than {@link FEW_MATCHES}. */
  async #findFew(terms: SearchTerms, within: Queryable): Promise<PostCondition | undefined> {
    const match = this.queries.matchOf(terms);
    const [found] = await within.all(this.queries.find, { match, most: FEW_MATCHES });
    return found!.count < FEW_MATCHES ? isOneOfThese(this.database.dialect, found!.ids ?? '[]') : undefined;
  }

  /**
   * Checks the next posts of the list, without the offset of the page, until its end.
   *
   * @param length how many posts are checked at most
   * @returns undefined when they cannot be checked
   */
  async #walk(
    terms: SearchTerms,
    page: PageRequest,
    length: number,
    within: Queryable,
    client: string,
  ): Promise<Walk | undefined> {
    const { condition, isExact, valuesOf } = this.queries.onWalk;
    const wanted = matchesUntilEndOf(page);
    const isInOrder = isInIndexOrder(page);
    if (wanted > length && !(isExact && isInOrder)) return undefined;
    const [end] = isInOrder ? await this.#postBehind(page, length, within) : [];
    const rows = isExact ? wanted : Math.max(wanted, CHECKED_POSTS);
    const stretch: PageRequest = {
      ...page,
      // Each statement sorts a list that is not in the order of an index: so there is only this one.
      ...(isInOrder ? end && { until: end.sortKey } : { checkedRows: length }),
      offset: 0,
      rows,
      shownRows: rows,
      fields: isExact ? ['id'] : ['title', 'body'],
    };
    const { posts, items } = await this.pages.find(stretch, within, {
      name: 'may match',
      toSql: () => condition,
      values: valuesOf(terms),
    });
    const found = isExact ? posts : await matching(terms, { posts, items }, stretch, wanted, client);
    const isWholeList = isInOrder && !end && posts.length < stretch.rows;
    return found && { found, isWholeList, isExact };
  }

  /** The post behind the next ones of the list, if there is one. */
  async #postBehind(page: PageRequest, length: number, within: Queryable): Promise<ListedPost[]> {
    const behind = { ...page, offset: length, rows: 1, shownRows: 1, fields: ['id'] } as const;
    return (await this.pages.find(behind, within)).posts;
  }

  async #matches(terms: SearchTerms, within: Queryable): Promise<PostCondition> {
    const { inParts } = this.queries;
    const match = this.queries.matchOf(terms);
    const [found] = inParts ? await within.all(inParts.find, { match }) : [];
    return isMatch(this.queries, match, found?.ids ?? undefined);
  }
}

/** The result of checking the next posts of a list. */
interface Walk {
  /** The first matches, up to the end of the page. */
  readonly found: readonly ListedPost[];
  /** Whether there are no other posts. */
  readonly isWholeList: boolean;
  /** Whether the database has checked the posts. */
  readonly isExact: boolean;
}

/** How many matches the page needs, with those before it. */
function matchesUntilEndOf({ offset = 0, rows }: PageRequest): number {
  return offset + rows;
}

/** The ids of the posts of a page; undefined when the walk has not found all of them. */
function idsOfPage({ found, isWholeList }: Walk, page: PageRequest): number[] | undefined {
  const wanted = matchesUntilEndOf(page);
  if (found.length < wanted && !isWholeList) return undefined;
  return found.slice(page.offset ?? 0, wanted).map(({ id }) => id);
}

function onlyThese(page: PageRequest, ids: readonly number[]): NarrowedPage {
  return { page: { ...page, filter: { id: ids }, offset: 0 }, isSlow: false };
}

/** How many posts should hold the page, as the first ones show; undefined when they are too many to be checked one by one. */
function postsToWalk(first: Walk | undefined, page: PageRequest): number | undefined {
  if (!first?.isExact || !isInIndexOrder(page)) return undefined;
  const posts = Math.ceil((matchesUntilEndOf(page) / first.found.length) * WALKED_POSTS * WALK_MARGIN);
  return posts <= MAX_WALKED_POSTS ? posts : undefined;
}

/** The first posts that match; undefined when the index checks them faster. */
async function matching(
  terms: SearchTerms,
  { posts, items }: WrittenPosts,
  page: PageRequest,
  wanted: number,
  client: string,
): Promise<ListedPost[] | undefined> {
  if (!areWritten(posts, page)) return undefined;
  const contents = contentsOf<Pick<Post, 'title' | 'body'>>(items);
  // The items are in the order of the list, and the posts in that of the walk.
  if (page.backwards) contents.reverse();
  const found: ListedPost[] = [];
  let place = 0;
  let checkedMs = 0;
  const isDone = (): boolean => place === posts.length || found.length === wanted;
  /** Many posts at a time: each time, it may have to wait for the work of others. */
  const checkSome = (): void => {
    const startedAt = performance.now();
    for (let ms = 0; ms < CHECKING_STEP_MS && !isDone(); ms = performance.now() - startedAt) {
      const { title, body } = contents[place]!;
      if (isSlowToFold(body)) break;
      if (matches(terms, title, body)) found.push(posts[place]!);
      place += 1;
    }
    checkedMs += performance.now() - startedAt;
  };
  while (!isDone()) {
    if (checkedMs > MAX_CHECKING_MS || isSlowToFold(contents[place]!.body)) return undefined;
    await whenTimeToFold(checkSome, client);
  }
  return found;
}
