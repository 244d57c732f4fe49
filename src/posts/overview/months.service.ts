import { Injectable } from '@nestjs/common';
import type { PostFilter } from '../lists/post-selection.js';
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
  constructor(private readonly posts: PostsRepository) {}

  /** The months that have posts, newest first. */
  async count(filter: PostFilter): Promise<MonthCount[]> {
    return filter.search === undefined ? this.#countEach(filter) : this.#countMatches(filter);
  }

  /** Twelve months in a row, oldest first: up to the one of the newest post, or up to now if that is of the future. */
  async latest(now = new Date()): Promise<MonthCount[]> {
    const newest = await this.#newestMonth({});
    if (newest === undefined) return [];
    const current = now.toISOString().slice(0, 7);
    const isPast = (await this.#newestMonth({ publishedBefore: endOf(current) })) !== undefined;
    const end = newest > current && isPast ? current : newest;
    return Promise.all(
      monthsUpTo(end, LATEST_MONTHS).map(async (month) => ({ month, posts: await this.#countOf({}, month) })),
    );
  }

  /**
   * Asks the index for each month, which costs no more than to count all posts at once, and lets others read in between.
   */
  async #countEach(filter: PostFilter): Promise<MonthCount[]> {
    const months: MonthCount[] = [];
    for (let rest = filter; ;) {
      const month = await this.#newestMonth(rest);
      if (month === undefined) return months;
      months.push({ month, posts: await this.#countOf(rest, month) });
      rest = { ...rest, publishedBefore: startOf(month) };
    }
  }

  /** The index of words knows no dates, so all matches are counted at once, on a connection that nobody waits for. */
  async #countMatches(filter: PostFilter): Promise<MonthCount[]> {
    const snapshot = await this.posts.snapshot();
    try {
      const months = await this.posts.countByMonth(filter, snapshot);
      return months.toSorted((a, b) => (a.month < b.month ? 1 : -1));
    } finally {
      await snapshot.close();
    }
  }

  async #newestMonth(filter: PostFilter): Promise<string | undefined> {
    const [post] = await this.posts.findPage({
      filter,
      ordering: '-pub_date',
      backwards: false,
      after: undefined,
      offset: 0,
      rows: 1,
      fields: ['pub_date'],
    });
    return post?.pubDate!.slice(0, 7);
  }

  #countOf(filter: PostFilter, month: string): Promise<number> {
    const { publishedFrom: from = '', publishedBefore: before = endOf(month) } = filter;
    return this.posts.count({
      ...filter,
      publishedFrom: from > startOf(month) ? from : startOf(month),
      publishedBefore: before < endOf(month) ? before : endOf(month),
    });
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
