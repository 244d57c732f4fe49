import { CompiledQuery } from '../../database/compiled-query.js';
import type { Database } from '../../database/database.js';
import { Insertion, namedParameters } from '../../database/entity-queries.js';
import { Post, POST_CONTENT } from '../post.entity.js';

/** The statements that change posts. */
export class PostWriteQueries {
  /** Of a post with an `:id` and a `:version`; a row with the new version, or none. */
  readonly update: CompiledQuery;
  /** Of a post with an `:id` and a `:version`; a row, or none. */
  readonly delete: CompiledQuery;
  /** `:ids` is JSON: an array of ids. */
  readonly deleteByIds: CompiledQuery;
  /** Returns the id of each. */
  readonly insertion: Insertion<Omit<Post, 'id'>>;
  readonly restoration: Insertion<Post>;

  constructor(database: Database) {
    const { dialect } = database;
    const posts = database.reader.manager.getRepository(Post);
    this.insertion = new Insertion(database, Post, { returning: 'id AS "id"' });
    this.restoration = new Insertion(database, Post, { givesIds: true });
    this.update = CompiledQuery.from(
      posts
        .createQueryBuilder()
        .update()
        .set({ ...namedParameters(POST_CONTENT), version: () => 'version + 1' })
        .where('id = :id AND version = :version'),
      [...POST_CONTENT, 'id', 'version'],
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
  }
}
