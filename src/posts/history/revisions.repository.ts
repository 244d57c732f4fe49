import { Injectable } from '@nestjs/common';
import { CompiledQuery } from '../../database/compiled-query.js';
import { Database } from '../../database/database.js';
import { IS_VISIBLE } from '../../database/dialect.js';
import type { Author } from '../../http/author.js';
import type { KeysetWalk } from './keyset-page.js';
import type { Revision, RevisionAction, WholeRevision } from './revision.js';

/** A stretch of a post's revisions, walked by their numbers. */
export interface RevisionsRequest extends KeysetWalk {
  readonly postId: number;
}

interface RevisionRow {
  readonly number: number;
  readonly action: RevisionAction;
  readonly at: string;
  readonly authorKind: Author['kind'];
  readonly authorName: string | null;
  /** Null when it is kept no more. */
  readonly title: string | null;
  readonly pubDate: string | null;
  readonly body?: string | null;
}

/** What a revision was is what the next change of the post replaced; the last one is the post, or what was deleted. */
const contentOf = (column: string): string => `
  CASE
    WHEN revision.action = 'deleted' THEN revision.old_${column}
    WHEN later.id IS NOT NULL THEN later.old_${column}
    ELSE post.${column}
  END`;

const COLUMNS = `
  revision.action AS "action", revision.at AS "at",
  revision.author_kind AS "authorKind", revision.author_name AS "authorName",
  ${contentOf('title')} AS "title", ${contentOf('pub_date')} AS "pubDate"`;
const BODY = `, ${contentOf('body')} AS "body"`;

const JOINED = `
  FROM post_revisions revision
  LEFT JOIN post_revisions later ON later.id = (
    SELECT id FROM post_revisions
    WHERE post_id = :postId AND number > 1 AND number > revision.number ORDER BY number LIMIT 1
  )
  LEFT JOIN posts post ON post.id = :postId`;

const CHANGES = `${JOINED} WHERE revision.post_id = :postId AND revision.number > 1 AND revision.action <> 'purged'`;

const selectChanges = (walk: string): CompiledQuery =>
  CompiledQuery.fromText(`SELECT revision.number AS "number", ${COLUMNS} ${CHANGES} ${walk} LIMIT :rows`);

const NEWEST = selectChanges('ORDER BY revision.number DESC');
const OLDER = selectChanges('AND revision.number < :after ORDER BY revision.number DESC');
const NEWER = selectChanges('AND revision.number > :after ORDER BY revision.number');
const CHANGE = CompiledQuery.fromText(
  `SELECT revision.number AS "number", ${COLUMNS}${BODY} ${CHANGES} AND revision.number = :number`,
);

/**
 * How the post was made, or found. Of the rows around it the nearest is its own: an import on PostgreSQL may go around
 * posts that were made meanwhile.
 */
const selectCreation = (columns: string): CompiledQuery =>
  CompiledQuery.fromText(`
    SELECT COALESCE(later.number - 1, post.version) AS "number", ${columns} ${JOINED}
    WHERE revision.number = 1 AND revision.post_id <= :postId AND revision.last_post_id >= :postId
    ORDER BY revision.post_id DESC LIMIT 1
  `);
const CREATION = selectCreation(COLUMNS);
const WHOLE_CREATION = selectCreation(COLUMNS + BODY);

const IS_KNOWN = CompiledQuery.fromText(`
  SELECT 1 AS "isKnown" FROM posts post WHERE id = :postId AND ${IS_VISIBLE}
  UNION ALL
  SELECT 1 FROM post_revisions WHERE post_id = :postId AND number > 1
  LIMIT 1
`);

/** Reads what posts were. Revisions whose content is kept no more are not there. */
@Injectable()
export class RevisionsRepository {
  constructor(private readonly database: Database) {}

  /** The revisions of a post, newest first; none of a post that never was, or was removed for good. */
  async findPage({ postId, backwards, after, rows }: RevisionsRequest): Promise<Revision[]> {
    if (!(await this.#isKnown(postId))) return [];
    const changes = await (after === undefined
      ? this.database.reader.all<RevisionRow>(NEWEST, { postId, rows })
      : this.database.reader.all<RevisionRow>(backwards ? NEWER : OLDER, { postId, after, rows }));
    if (!backwards && changes.length < rows) {
      const [creation] = await this.database.reader.all<RevisionRow>(CREATION, { postId });
      if (creation && (after === undefined || creation.number < after)) changes.push(creation);
    }
    return changes.flatMap(toRevision);
  }

  async find(postId: number, number: number): Promise<WholeRevision | undefined> {
    if (!(await this.#isKnown(postId))) return undefined;
    const [change] = await this.database.reader.all<RevisionRow>(CHANGE, { postId, number });
    if (change) return toRevision(change)[0] as WholeRevision | undefined;
    const [creation] = await this.database.reader.all<RevisionRow>(WHOLE_CREATION, { postId });
    return creation?.number === number ? (toRevision(creation)[0] as WholeRevision) : undefined;
  }

  /** A number between those of posts may lie within what was made together, and never have been a post. */
  async #isKnown(postId: number): Promise<boolean> {
    return (await this.database.reader.all(IS_KNOWN, { postId })).length > 0;
  }
}

/** @returns none when the content is kept no more */
function toRevision({ authorKind, authorName, title, pubDate, ...row }: RevisionRow): Revision[] {
  if (title === null || pubDate === null) return [];
  return [{ ...row, author: { kind: authorKind, name: authorName ?? undefined }, title, pubDate }];
}
