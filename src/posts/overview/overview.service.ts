import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Database } from '../../database/index.js';
import type { Client } from '../../limits/index.js';
import { PostSnapshots } from '../lists/post-snapshots.js';
import { Post } from '../post.entity.js';

/** The number of posts in a month. */
export interface MonthCount {
  /** `2026-11`, in UTC. */
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

/**
 * Summarises posts, for charts and lists: counts by month, and excerpts. It reads in snapshots, so that no other query
 * waits; they end when the client of the response disconnects.
 */
@Injectable()
export class OverviewService {
  constructor(
    private readonly snapshots: PostSnapshots,
    private readonly database: Database,
  ) {}

  /** The size of the database in bytes; undefined while it does not respond. */
  async databaseBytes(): Promise<number | undefined> {
    return (await this.database.sizes())['database'];
  }

  /**
   * Counts posts by the month of `pub_date` in UTC: the current month and the eleven before it, as far as they have posts,
   * newest first.
   */
  latestMonths(client: Client, now = new Date()): Promise<MonthCount[]> {
    const startOf = (months: number): string =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString().slice(0, 7);
    const range = { from: startOf(-11), before: startOf(1) };
    return this.snapshots.run(client, ({ manager }) =>
      manager
        .createQueryBuilder(Post, 'post')
        .select('substr(post.pubDate, 1, 7)', 'month')
        .addSelect('count(*)', 'posts')
        .where('post.pubDate >= :from AND post.pubDate < :before', range)
        .groupBy('month')
        .orderBy('month', 'DESC')
        .getRawMany<MonthCount>(),
    );
  }

  /**
   * The beginnings of bodies, in the order of the ids; ids without a post are left out. SQLite reads a whole body for its
   * beginning.
   */
  async findExcerpts(ids: readonly number[], client: Client): Promise<Excerpt[]> {
    const found = await this.snapshots.run(client, ({ manager }) =>
      manager
        .createQueryBuilder(Post, 'post')
        .select('post.id', 'id')
        .addSelect(`substr(post.body, 1, ${EXCERPT_SOURCE_CODE_POINTS})`, 'start')
        .where({ id: In(ids) })
        .getRawMany<{ id: number; start: string }>(),
    );
    const excerpts = new Map(found.map(({ id, start }) => [id, { id, excerpt: excerptOf(start) }]));
    return ids.flatMap((id) => excerpts.get(id) ?? []);
  }
}

/** The beginning of a text as one line: a run of white space becomes one space. */
function excerptOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return Array.from(line).slice(0, EXCERPT_CODE_POINTS).join('');
}
