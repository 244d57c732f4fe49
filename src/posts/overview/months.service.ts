import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../database/database.js';
import type { Reader } from '../../http/response/response-reader.js';
import type { PostFilter } from '../lists/post-selection.js';
import { PostSnapshots } from '../lists/post-snapshots.js';
import { PostsRepository } from '../posts.repository.js';
import { nowAsPubDate } from '../pub-date.js';
import { monthsUpTo } from './months.js';
import { ZonedMonths } from './zoned-months.js';

/** How many posts are of a month. */
export interface MonthCount {
  /** `2026-11`, in the time zone that was asked for. */
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
  count(filter: PostFilter, zone: string, reader: Reader): Promise<MonthCount[]> {
    const months = new ZonedMonths(zone);
    return this.snapshots.run(reader, (snapshot) =>
      filter.search === undefined
        ? this.#countEach(filter, months, snapshot)
        : this.#countMatches(filter, months, snapshot),
    );
  }

  /** Twelve months in a row, oldest first: up to the one of the newest post, or up to now if that is of the future. */
  latest(zone: string, reader: Reader): Promise<MonthCount[]> {
    return this.snapshots.run(reader, (snapshot) => this.#latest(new ZonedMonths(zone), snapshot));
  }

  async #latest(months: ZonedMonths, within: Queryable): Promise<MonthCount[]> {
    const newest = await this.#newestMonth({}, months, within);
    if (newest === undefined) return [];
    const current = months.monthOf(nowAsPubDate());
    const past = await this.#newestMonth({ publishedBefore: months.endOf(current) }, months, within);
    const end = newest > current && past !== undefined ? current : newest;
    const counts: MonthCount[] = [];
    for (const month of monthsUpTo(end, LATEST_MONTHS))
      counts.push({ month, posts: await this.#countOf({}, month, months, within) });
    return counts;
  }

  /** Asks the index for each month, which costs no more than to count all posts at once. */
  async #countEach(filter: PostFilter, months: ZonedMonths, within: Queryable): Promise<MonthCount[]> {
    const counts: MonthCount[] = [];
    for (let rest = filter; ;) {
      const month = await this.#newestMonth(rest, months, within);
      if (month === undefined) return counts;
      counts.push({ month, posts: await this.#countOf(rest, month, months, within) });
      rest = { ...rest, publishedBefore: months.startOf(month) };
    }
  }

  /** The index of words knows no dates, so all matches are counted at once. */
  async #countMatches(filter: PostFilter, months: ZonedMonths, within: Queryable): Promise<MonthCount[]> {
    const counts = new Map<string, number>();
    for (const { date, posts } of await this.posts.countByDate(filter, within)) {
      const month = months.monthOf(date);
      counts.set(month, (counts.get(month) ?? 0) + posts);
    }
    return [...counts]
      .map(([month, posts]) => ({ month, posts }))
      .toSorted((a, b) => (a.month < b.month ? 1 : -1));
  }

  async #newestMonth(
    filter: PostFilter,
    months: ZonedMonths,
    within: Queryable,
  ): Promise<string | undefined> {
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
    return post && months.monthOf(post.pubDate!);
  }

  #countOf(filter: PostFilter, month: string, months: ZonedMonths, within: Queryable): Promise<number> {
    const [start, end] = [months.startOf(month), months.endOf(month)];
    const { publishedFrom: from = '', publishedBefore: before = end } = filter;
    const publishedFrom = from > start ? from : start;
    const publishedBefore = before < end ? before : end;
    return this.posts.count({ ...filter, publishedFrom, publishedBefore }, within);
  }
}
