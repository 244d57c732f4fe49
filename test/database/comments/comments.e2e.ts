import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Database } from '../../../src/database/database.js';
import { TYPES } from '../../../src/database/migrations/1763750000000-create-schema.js';
import { freshDatabase } from '../../support/database.js';
import { makeApp } from '../../support/nest-app.js';
import { Comment } from './comment.entity.js';
import { CommentsController } from './comments.controller.js';
import { CommentsService } from './comments.service.js';

const { id, integer, text } = TYPES[globalThis.TEST_DATABASE];
const fresh = await freshDatabase();
await fresh.execute(
  `CREATE TABLE comments (id ${id('comments_key')}, post_id ${integer} NOT NULL, slug ${text}, text ${text} NOT NULL, version ${integer} NOT NULL)`,
);
await fresh.execute('CREATE UNIQUE INDEX comments_by_slug ON comments (slug)');

const app = await makeApp((service) => {
  @Module({
    imports: [service, TypeOrmModule.forFeature([Comment])],
    controllers: [CommentsController],
    providers: [CommentsService],
  })
  class CommentsModule {}
  return CommentsModule;
}, fresh);
await app.listen(0, '127.0.0.1');
const list = `${await app.getUrl()}/posts/7/comments/`;
const { reads, writes } = app.get(Database);
const comments = app.get(CommentsService);

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
  return headers.get('location')!;
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

  it('is documented where an operation has a summary', async () => {
    const { status, body } = await send('GET', `${await app.getUrl()}/openapi.json`);
    expect(status).toBe(200);
    const paths = body['paths'] as Record<string, object>;
    expect(Object.keys(paths['/posts/{post_id}/comments/']!)).toEqual(['x-route-name', 'get']);
    expect(paths).not.toHaveProperty(['/posts/{post_id}/comments/{id}/']);
  });

  it('shares transactions and reads among requests that arrive together', async () => {
    const before = { commits: writes.transactions.count, reads: reads.count };
    const created = await Promise.all(
      Array.from({ length: 40 }, (_, index) => comments.create(7, { text: `${index}`, slug: null })),
    );
    expect(new Set(created.map((comment) => comment.id)).size).toBe(40);
    expect(writes.transactions.count - before.commits).toBeLessThan(4);
    expect(await Promise.all(created.map((comment) => comments.find(comment.id)))).toEqual(created);
    expect(reads.count - before.reads).toBeLessThan(4);
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
    expect(body).toMatchObject({ status: 409, detail: 'Another comment has this slug.' });
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
