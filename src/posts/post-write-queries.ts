import type { Repository } from 'typeorm';
import { CompiledQuery, type QueryValues } from '../database/compiled-query.js';
import type { Dialect } from '../database/dialect.js';
import type { Post } from './post.entity.js';

type Content = Pick<Post, 'title' | 'pubDate' | 'body'>;

/** How many posts a statement inserts, so that each number needs no statement of its own. */
const INSERT_SIZES = [64, 16, 4, 1] as const;

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
  /** By the number of posts. */
  readonly #inserts: ReadonlyMap<number, CompiledQuery>;

  constructor(posts: Repository<Post>, dialect: Dialect) {
    this.#inserts = new Map(INSERT_SIZES.map((size) => [size, insertOf(posts, size)]));
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
    this.deleteByIds = CompiledQuery.fromText(
      `DELETE FROM posts WHERE id IN (${dialect.integersOf(':ids')})`,
    );
    this.restore = CompiledQuery.fromText(
      `INSERT INTO posts (id, title, pub_date, body, version)${dialect.overridingIds}
       SELECT post_id, old_title, old_pub_date, old_body, number + 1 FROM post_revisions
       WHERE id IN (${dialect.integersOf(':deletions')})
       RETURNING id AS "id", title AS "title", pub_date AS "pubDate", body AS "body", version AS "version"`,
    );
  }

  /** An insert of the first of the posts, and how many these are. */
  insert(posts: readonly Content[]): { query: CompiledQuery; values: QueryValues; size: number } {
    const size = INSERT_SIZES.find((each) => each <= posts.length)!;
    return { query: this.#inserts.get(size)!, values: valuesOfAll(posts.slice(0, size)), size };
  }
}

function insertOf(posts: Repository<Post>, size: number): CompiledQuery {
  const rows = Array.from({ length: size }, (_, index) => ({
    title: () => `:title${index}`,
    pubDate: () => `:pubDate${index}`,
    body: () => `:body${index}`,
    version: () => '1',
  }));
  const parameters = rows.flatMap((_, index) => [`title${index}`, `pubDate${index}`, `body${index}`]);
  const builder = posts.createQueryBuilder().insert().values(rows).updateEntity(false);
  return CompiledQuery.from(builder, parameters, ' RETURNING "id"');
}

function valuesOfAll(posts: readonly Content[]): QueryValues {
  const values: Record<string, string> = {};
  posts.forEach(({ title, pubDate, body }, index) => {
    values[`title${index}`] = title;
    values[`pubDate${index}`] = pubDate;
    values[`body${index}`] = body;
  });
  return values;
}
