import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../database/database.js';
import type { Reader } from '../../http/response/response-reader.js';
import type { PostFilter } from '../lists/post-selection.js';
import { PostSnapshots } from '../lists/post-snapshots.js';
import { PostsRepository } from '../posts.repository.js';
import { monthsUpTo } from './months.js';

/** How many posts are of a month. */
export interface MonthCount {
  /** `2026-11`, in UTC. */
  readonly month: string;
  readonly posts: number;
}

const LATEST_MONTHS = 12;

/** Counts posts by the months of their dates. */
@Injectable()
export class MonthsService {
  constructor(
    private readonly posts: PostsRepository,
    private readonly snapshots: PostSnapshots,
  ) {}

  /** The months that have posts, newest first. @param reader tells for whom: the count ends when it leaves */
  count(filter: PostFilter, reader: Reader): Promise<MonthCount[]> {
    return this.snapshots.run(reader, (snapshot) =>
      filter.search === undefined ? this.#countEach(filter, snapshot) : this.#countMatches(filter, snapshot),
    );
  }

  /** Twelve months in a row, oldest first: up to the one of the newest post, or up to now if that is of the future. */
  latest(reader: Reader, now = new Date()): Promise<MonthCount[]> {
    return this.snapshots.run(reader, (snapshot) => this.#latest(now, snapshot));
  }

  async #latest(now: Date, within: Queryable): Promise<MonthCount[]> {
    const newest = await this.#newestMonth({}, within);
    if (newest === undefined) return [];
    const current = now.toISOString().slice(0, 7);
    const isPast = (await this.#newestMonth({ publishedBefore: endOf(current) }, within)) !== undefined;
    const end = newest > current && isPast ? current : newest;
    const months: MonthCount[] = [];
    for (const month of monthsUpTo(end, LATEST_MONTHS))
      months.push({ month, posts: await this.#countOf({}, month, within) });
    return months;
  }

  /** Asks the index for each month, which costs no more than to count all posts at once. */
  async #countEach(filter: PostFilter, within: Queryable): Promise<MonthCount[]> {
    const months: MonthCount[] = [];
    for (let rest = filter; ;) {
      const month = await this.#newestMonth(rest, within);
      if (month === undefined) return months;
      months.push({ month, posts: await this.#countOf(rest, month, within) });
      rest = { ...rest, publishedBefore: startOf(month) };
    }
  }

  /** The index of words knows no dates, so all matches are counted at once. */
  async #countMatches(filter: PostFilter, within: Queryable): Promise<MonthCount[]> {
    const months = await this.posts.countByMonth(filter, within);
    return months.toSorted((a, b) => (a.month < b.month ? 1 : -1));
  }

  async #newestMonth(filter: PostFilter, within: Queryable): Promise<string | undefined> {
    const [post] = await this.posts.findPage(
      {
        filter,
        ordering: '-pub_date',
        backwards: false,
        after: undefined,
        offset: 0,
        rows: 1,
        fields: ['pub_date'],
      },
      within,
    );
    return post?.pubDate!.slice(0, 7);
  }

  #countOf(filter: PostFilter, month: string, within: Queryable): Promise<number> {
    const { publishedFrom: from = '', publishedBefore: before = endOf(month) } = filter;
    const publishedFrom = from > startOf(month) ? from : startOf(month);
    const publishedBefore = before < endOf(month) ? before : endOf(month);
    return this.posts.count({ ...filter, publishedFrom, publishedBefore }, within);
  }
}

/** Dates in their stored form sort as text, and so do their beginnings. */
function startOf(month: string): string {
  return `${month}-01`;
}

/** After all dates of the month, and before those of the next one. */
function endOf(month: string): string {
  return `${month}-32`;
}
