import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Transaction } from '../database/database.js';
import { OLD, PostRevision } from '../history/post-revision.entity.js';
import { type NewPost, POST_CONTENT } from '../posts/post.entity.js';
import type { IdRange } from '../posts/writes/staged-ids.js';

/** A post that an import created, or one that it replaced. */
export interface ImportPart {
  readonly id: number;
  /** The version that the import gave it. */
  readonly version: number;
  /** The change that replaced the post; undefined when the import created it. */
  readonly revision?: number;
}

/** The created posts that were not changed since. A nearer entry covers posts that were created separately. */
const UNCHANGED = CompiledQuery.fromText(`
  SELECT id AS "id", version AS "version" FROM posts
  WHERE id BETWEEN :first AND :last AND version = 1 AND NOT EXISTS (
    SELECT 1 FROM post_revisions made
    WHERE made.number = 1 AND made.post_id > :first AND made.post_id <= posts.id AND made.last_post_id >= posts.id
  ) ORDER BY id
`);

/** Finds what the imports in the change log created and replaced. */
@Injectable()
export class LoggedImportsRepository {
  constructor(private readonly database: Database) {}

  /** @returns undefined when the entry is no import */
  async findParts(entry: number): Promise<ImportPart[] | undefined> {
    const { manager } = this.database.reader;
    const found = await manager.findOneBy(PostRevision, { id: entry, action: 'imported', partOf: IsNull() });
    if (!found) return undefined;
    const select = { id: true, number: true, postId: true, lastPostId: true } as const;
    const rows =
      found.number === 1 ? [found] : await manager.find(PostRevision, { select, where: { partOf: entry } });
    const parts: ImportPart[] = [];
    for (const { id, number, postId: first, lastPostId: last } of rows) {
      if (number > 1) parts.push({ id: first, version: number, revision: id });
      else parts.push(...(await this.database.reader.all<ImportPart>(UNCHANGED, { first, last })));
    }
    return parts;
  }

  /** The entry of an import that only created posts: it is logged as one row for all of them. */
  async entryOf({ manager }: Transaction, { first, last }: IdRange): Promise<number> {
    const where = { number: 1, postId: first, lastPostId: last };
    return (await manager.findOneOrFail(PostRevision, { select: { id: true }, where })).id;
  }

  /** @returns the content that a change replaced; undefined when it is no longer kept */
  async contentBefore({ manager }: Transaction, revision: number): Promise<NewPost | undefined> {
    const select = Object.fromEntries(['id', ...Object.values(OLD)].map((property) => [property, true]));
    const found = await manager.findOneOrFail(PostRevision, { select, where: { id: revision } });
    const content = POST_CONTENT.map((property) => [property, found[OLD[property]]] as const);
    if (content.some(([, value]) => value === null)) return undefined;
    return Object.fromEntries(content) as unknown as NewPost;
  }
}
