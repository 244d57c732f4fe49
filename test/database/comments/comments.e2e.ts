import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { QueryRunner } from 'typeorm';
import { Database } from '../../../src/database/index.js';
import { PostsModule } from '../../../src/posts/posts.module.js';
import { Preconditions } from '../../../src/problem-details/index.js';
import { freshDatabase } from '../../support/database.js';
import { makeApp } from '../../support/nest-app.js';
import { CreateExampleComments1764990000000 } from './1764990000000-create-comments.js';
import { Comment } from './comment.entity.js';
import { CommentsController } from './comments.controller.js';
import { CommentsService } from './comments.service.js';

const fresh = await freshDatabase();
// As migrations.ts would run it.
const queryRunner = {
  connection: { options: { type: globalThis.TEST_DATABASE } },
  query: (sql: string) => fresh.execute(sql),
};
await new CreateExampleComments1764990000000().up(queryRunner as unknown as QueryRunner);

const app = await makeApp((service) => {
  @Module({
    imports: [service, TypeOrmModule.forFeature([Comment]), PostsModule],
    controllers: [CommentsController],
    providers: [CommentsService],
  })
  class CommentsModule {}
  return CommentsModule;
}, fresh);
await app.listen(0, '127.0.0.1');
const origin = await app.getUrl();
const { reads, writes } = app.get(Database);
const comments = app.get(CommentsService);
const post = await createPost();
const list = commentsOf(post.id);

async function createPost() {
  const { status, body } = await send('POST', `${origin}/posts/`, { title: 'Fog', body: '' });
  expect(status).toBe(201);
  return { id: body['id'] as number };
}

function commentsOf(postId: number): string {
  return `${origin}/posts/${postId}/example-comments/`;
}

async function send(method: string, url: string, json?: object, headers: Record<string, string> = {}) {
  const content = json && {
    body: JSON.stringify(json),
    headers: { 'Content-Type': 'application/json', ...headers },
  };
  const response = await fetch(url, { method, headers, ...content });
  const body = (response.status === 204 ? undefined : await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}

async function create(json: object) {
  const { status, headers } = await send('POST', list, json);
  expect(status).toBe(201);
  const url = headers.get('location')!;
  expect((await send('GET', url)).headers.get('etag')).toBe(headers.get('etag'));
  return url;
}

const statusesOf = async (responses: readonly Promise<{ status: number }>[]): Promise<number[]> =>
  (await Promise.all(responses)).map(({ status }) => status);

const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

async function textsOf(url = `${list}?limit=100`): Promise<unknown[]> {
  const found = (await send('GET', url)).body as unknown as Record<string, unknown>[];
  return found.map((comment) => comment['text']);
}

describe('a second resource', () => {
  it('is created, read, replaced and deleted; null is a value', async () => {
    const url = await create({ text: 'First', slug: null });
    const first = await send('GET', url);
    expect(first.body).toEqual({ id: expect.any(Number), slug: null, text: 'First' });
    const etag = first.headers.get('etag')!;
    const replaced = await send('PUT', url, { text: 'First', slug: 'first' }, { 'If-Match': etag });
    expect([replaced.status, replaced.body['slug']]).toEqual([200, 'first']);
    expect((await send('PUT', url, { text: 'First', slug: 7 })).status).toBe(400);
    expect((await send('GET', url)).body).toEqual(replaced.body);
    expect((await send('DELETE', url, undefined, { 'If-Match': etag })).status).toBe(412);
    expect((await send('DELETE', url)).status).toBe(204);
    expect((await send('GET', url)).status).toBe(404);
    expect((await send('DELETE', url)).status).toBe(404);
  });

  it('belongs to its post: another one, or one that does not exist, has it not', async () => {
    const url = await create({ text: 'of the first' });
    const other = await createPost();
    const elsewhere = url.replace(`/posts/${post.id}/`, `/posts/${other.id}/`);
    for (const method of ['GET', 'DELETE']) expect((await send(method, elsewhere)).status).toBe(404);
    expect((await send('PUT', elsewhere, { text: 'x' })).status).toBe(404);
    expect((await send('GET', commentsOf(other.id))).body).toEqual([]);
    const missing = commentsOf(other.id + 1_000);
    expect((await send('GET', missing)).status).toBe(404);
    expect((await send('POST', missing, { text: 'x' })).status).toBe(404);
    expect((await send('GET', url)).status).toBe(200);
  });

  it('goes when its post is deleted', async () => {
    const { id } = await createPost();
    const { headers } = await send('POST', commentsOf(id), { text: 'of a post that goes' });
    await fetch(`${origin}/posts/${id}/`, { method: 'DELETE' });
    expect((await send('GET', headers.get('location')!)).status).toBe(404);
  });

  it('tells its listener what it prepared, in the transaction, and the rows after the commit', async () => {
    const { prepared, committed } = comments.listener;
    prepared.length = committed.length = 0;
    const url = await create({ text: 'three words here' });
    await send('PUT', url, { text: 'two words' });
    await send('DELETE', url);
    expect((await send('DELETE', url)).status).toBe(404);
    const id = Number(/(\d+)\/$/.exec(url)![1]);
    expect(prepared).toEqual([3, 2, 0]);
    expect(committed).toEqual([[{ id, version: 1 }], [{ id, version: 2 }], [{ id, version: undefined }]]);
    committed.length = 0;
    expect((await send('POST', list, { text: 'fails' })).status).toBe(409);
    expect(committed).toEqual([]);
  });

  it('is documented: each operation has a summary', async () => {
    const { status, body } = await send('GET', `${origin}/openapi.json`);
    expect(status).toBe(200);
    const paths = body['paths'] as Record<string, object>;
    const path = '/posts/{post_id}/example-comments/';
    expect(Object.keys(paths[path]!)).toEqual(['x-route-name', 'get', 'post']);
    expect(Object.keys(paths[`${path}{id}/`]!)).toEqual(['x-route-name', 'get', 'put', 'delete']);
  });

  it('shares transactions and reads among requests that arrive together', async () => {
    const before = { commits: writes.transactions.count, reads: reads.count };
    const created = await Promise.all(
      Array.from({ length: 40 }, (_, index) => comments.create(post.id, { text: `${index}`, slug: null })),
    );
    expect(new Set(created.map((comment) => comment.id)).size).toBe(40);
    expect(writes.transactions.count - before.commits).toBeLessThan(4);
    expect(await Promise.all(created.map((comment) => comments.findOrFail(post.id, comment.id)))).toEqual(
      created,
    );
    expect(reads.count - before.reads).toBeLessThan(4);
  });

  it('answers for rows that do not exist together', async () => {
    const before = { commits: writes.transactions.count, reads: reads.count };
    const missing = Array.from({ length: 40 }, (_, index) => 1_000_000 + index);
    const found = await Promise.allSettled(missing.map((id) => comments.findOrFail(post.id, id)));
    const anything = new Preconditions({});
    const deleted = await Promise.allSettled(missing.map((id) => comments.delete(post.id, id, anything)));
    for (const outcome of [...found, ...deleted])
      expect(outcome).toMatchObject({ reason: { message: 'The post has no such comment.' } });
    expect(reads.count - before.reads).toBeLessThan(6);
    expect(writes.transactions.count).toBe(before.commits);
  });

  it('refuses a value that another one has, and nothing else', async () => {
    const taken = await create({ text: 'taken', slug: 'taken' });
    const slugs = ['a', 'b', 'taken', 'c', 'd', 'd'];
    const responses = slugs.map((slug) => send('POST', list, { text: slug, slug }));
    expect(sorted(await statusesOf(responses))).toEqual([201, 201, 201, 201, 409, 409]);
    const other = await create({ text: 'other' });
    const changes = ['taken', 'e'].map((slug, index) =>
      send('PUT', index === 0 ? other : taken, { text: 'x', slug }),
    );
    expect((await statusesOf(changes))[1]).toBe(200);
    const { body } = await send('PUT', other, { text: 'other', slug: 'e' });
    expect(body).toMatchObject({ status: 409, detail: 'Another comment has the slug e.' });
  });

  it('rolls back a change that fails late, and no other one', async () => {
    const kept = await create({ text: 'kept' });
    const texts = ['before', 'fails', 'after'];
    const responses = [
      ...texts.map((content) => send('POST', list, { text: content })),
      send('PUT', kept, { text: 'fails' }),
    ];
    expect(await statusesOf(responses)).toEqual([201, 409, 201, 409]);
    const stored = await textsOf();
    expect(stored).toEqual(expect.arrayContaining(['before', 'after', 'kept']));
    expect(stored).not.toContain('fails');
  });

  it('is listed page by page, the newest first', async () => {
    await create({ text: 'last' });
    const all = await textsOf();
    const found: unknown[] = [];
    for (let url: string | undefined = `${list}?limit=7`; url;) {
      found.push(...(await textsOf(url)));
      url = /<([^>]+)>; rel="next"/.exec((await send('GET', url)).headers.get('link') ?? '')?.[1];
    }
    expect(found[0]).toBe('last');
    expect(found).toEqual(all);
  });
});
