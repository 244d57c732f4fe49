import { CompiledQuery } from '../../database/compiled-query.js';
import type { Database } from '../../database/database.js';
import { Insertion } from '../../database/insertion.js';
import { Post } from '../post.entity.js';

/** The statements that change posts. */
export class PostWriteQueries {
  /** Of a post with an `:id` and a `:version`; a row with the new version, or none. */
  readonly update: CompiledQuery;
  /** Of a post with an `:id` and a `:version`; a row, or none. */
  readonly delete: CompiledQuery;
  /** `:ids` is JSON: an array of ids. */
  readonly deleteByIds: CompiledQuery;
  /** `:deletions` is JSON: an array of ids of rows of the history. */
  readonly restore: CompiledQuery;
  /** Returns the id of each. */
  readonly insertion: Insertion<Omit<Post, 'id'>>;

  constructor(database: Database) {
    const { dialect } = database;
    const posts = database.reader.manager.getRepository(Post);
    this.insertion = new Insertion(database, Post, 'id AS "id"');
    this.update = CompiledQuery.from(
      posts
        .createQueryBuilder()
        .update()
        .set({
          title: () => ':title',
          pubDate: () => ':pubDate',
          body: () => ':body',
          version: () => 'version + 1',
        })
        .where('id = :id AND version = :version'),
      ['title', 'pubDate', 'body', 'id', 'version'],
      ' RETURNING "version"',
    );
    this.delete = CompiledQuery.from(
      posts.createQueryBuilder().delete().where('id = :id AND version = :version'),
      ['id', 'version'],
      ' RETURNING "id"',
    );
    this.deleteByIds = CompiledQuery.from(
      posts
        .createQueryBuilder()
        .delete()
        .where(`id ${dialect.isOneOf(':ids')}`),
      ['ids'],
    );
    // The builder has no INSERT … SELECT.
    this.restore = CompiledQuery.fromText(
      `INSERT INTO posts (id, title, pub_date, body, version)${dialect.overridingIds}
       SELECT post_id, old_title, old_pub_date, old_body, number + 1 FROM post_revisions
       WHERE id ${dialect.isOneOf(':deletions')}
       RETURNING id AS "id", title AS "title", pub_date AS "pubDate", body AS "body", version AS "version"`,
    );
  }
}
