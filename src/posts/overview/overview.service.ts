import { Injectable } from '@nestjs/common';
import type { Reader } from '../../limits/client-quota.js';
import { type MonthCount, PostPagesRepository } from '../lists/post-pages.repository.js';
import { PostSnapshots } from '../lists/post-snapshots.js';

export type { MonthCount } from '../lists/post-pages.repository.js';

export interface Excerpt {
  readonly id: number;
  readonly excerpt: string;
}

/** The length of an excerpt, in Unicode code points. */
const EXCERPT_CODE_POINTS = 200;
/** The prefix of a body that is read: longer than an excerpt, because white space is collapsed. */
const EXCERPT_SOURCE_CODE_POINTS = 1_000;

/** Summarises posts, for charts and lists: counts by month, and excerpts. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly posts: PostPagesRepository,
    private readonly snapshots: PostSnapshots,
  ) {}

  /**
   * Counts posts by the month of `pub_date` in UTC: the current month and the eleven before it, as far as they have posts,
   * newest first.
   *
   * @param reader the client of the response; the count stops when it disconnects
   */
  latestMonths(reader: Reader, now = new Date()): Promise<MonthCount[]> {
    const startOf = (months: number): string =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString().slice(0, 7);
    const filter = { pub_date_after: startOf(-11), pub_date_before: startOf(1) };
    return this.snapshots.run(reader, (snapshot) => this.posts.countByMonth(filter, snapshot));
  }

  /**
   * The beginnings of bodies, in the order of the ids; ids without a post are left out. SQLite reads a whole body for its
   * beginning, so it does so in a snapshot: no other query waits.
   *
   * @param reader the client of the response
   */
  async findExcerpts(ids: readonly number[], reader: Reader): Promise<Excerpt[]> {
    const starts = await this.snapshots.run(reader, (snapshot) =>
      this.posts.findBeginnings(ids, EXCERPT_SOURCE_CODE_POINTS, snapshot),
    );
    return ids.flatMap((id) => {
      const start = starts.get(id);
      return start === undefined ? [] : [{ id, excerpt: excerptOf(start) }];
    });
  }
}

/** The beginning of a text as one line: a run of white space becomes one space. */
export function excerptOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return Array.from(line).slice(0, EXCERPT_CODE_POINTS).join('');
}
