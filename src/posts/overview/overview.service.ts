import { Injectable } from '@nestjs/common';
import type { Reader } from '../../limits/client-quota.js';
import { PostPagesRepository } from '../lists/post-pages.repository.js';
import type { PostFilter } from '../lists/post-selection.js';
import { PostSnapshots } from '../lists/post-snapshots.js';
import { nowAsPubDate } from '../pub-date.js';
import { matchesOf } from './matches.js';
import { neighbourOf, ZonedMonths } from './zoned-months.js';

/** The number of posts in a month. */
export interface MonthCount {
  /** `2026-11`, in the requested time zone. */
  readonly month: string;
  readonly posts: number;
}

export interface Excerpt {
  readonly id: number;
  readonly excerpt: string;
}

/** The length of an excerpt, in Unicode code points. */
const EXCERPT_CODE_POINTS = 200;
/** The prefix of a body that is read: longer than an excerpt, because white space is collapsed. */
const EXCERPT_SOURCE_CODE_POINTS = 1_000;
/** The prefix in which an excerpt of a search looks for a match. */
const SEARCHED_CODE_POINTS = 4_000;
/** What an excerpt shows before a match, in UTF-16 units. */
const BEFORE_MATCH = 60;

/** Summarises posts, for charts and lists: counts by month, and excerpts. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly posts: PostPagesRepository,
    private readonly snapshots: PostSnapshots,
  ) {}

  /**
   * Counts posts by the month of `pub_date`: the months that have posts, newest first.
   *
   * @param reader the client of the response; the count stops when it disconnects
   */
  countByMonth(filter: PostFilter, zone: string, reader: Reader): Promise<MonthCount[]> {
    const months = new ZonedMonths(zone);
    return this.snapshots.run(reader, async (snapshot) => {
      const counts = new Map<string, number>();
      for (const { date, posts } of await this.posts.countByDate(filter, snapshot)) {
        const month = months.monthOf(date);
        counts.set(month, (counts.get(month) ?? 0) + posts);
      }
      return [...counts]
        .map(([month, posts]) => ({ month, posts }))
        .toSorted((a, b) => (a.month < b.month ? 1 : -1));
    });
  }

  /** As {@link countByMonth}, for the current month and the eleven before it. */
  latestMonths(zone: string, reader: Reader): Promise<MonthCount[]> {
    const months = new ZonedMonths(zone);
    const current = months.monthOf(nowAsPubDate());
    const filter = {
      pub_date_after: months.startOf(neighbourOf(current, -11)),
      pub_date_before: months.endOf(current),
    };
    return this.countByMonth(filter, zone, reader);
  }

  /**
   * The beginnings of bodies, or what is around the first match of a search near the beginning. They are in the order of
   * the ids; ids without a post are left out.
   */
  async findExcerpts(ids: readonly number[], search?: string): Promise<Excerpt[]> {
    const length = search === undefined ? EXCERPT_SOURCE_CODE_POINTS : SEARCHED_CODE_POINTS;
    const starts = await this.posts.findBeginnings(ids, length);
    return ids.flatMap((id) => {
      const start = starts.get(id);
      return start === undefined ? [] : [{ id, excerpt: excerptOf(start, search) }];
    });
  }
}

/** The beginning of a text, or what is around the first match, as one line: a run of white space becomes one space. */
export function excerptOf(text: string, search = ''): string {
  const whole = text.replaceAll(/\s+/g, ' ').trim();
  const [[match] = [0]] = matchesOf(whole, search);
  // A match in the first lines of the table's cell needs no cut.
  const line = match <= 2 * BEFORE_MATCH ? whole : `… ${whole.slice(startBefore(whole, match))}`;
  // A code point has at most two UTF-16 units.
  return Array.from(line.slice(0, 2 * EXCERPT_CODE_POINTS))
    .slice(0, EXCERPT_CODE_POINTS)
    .join('');
}

/** The start of a word shortly before a match, or of the match itself. */
function startBefore(line: string, match: number): number {
  const space = line.indexOf(' ', match - BEFORE_MATCH);
  return space === -1 || space > match ? match : space + 1;
}
