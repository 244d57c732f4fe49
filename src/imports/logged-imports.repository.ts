import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Database, type Transaction } from '../database/database.js';
import { postsMadeBy } from '../history/changes.repository.js';
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
    for (const row of rows) {
      if (row.number > 1) parts.push({ id: row.postId, version: row.number, revision: row.id });
      else parts.push(...(await this.#unchangedOf(row)));
    }
    return parts;
  }

  /** The created posts that were not changed since. */
  #unchangedOf(creation: PostRevision): Promise<ImportPart[]> {
    return postsMadeBy(this.database.reader.manager, creation)
      .select('post.id', 'id')
      .addSelect('post.version', 'version')
      .andWhere('post.version = 1')
      .orderBy('post.id')
      .getRawMany();
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
