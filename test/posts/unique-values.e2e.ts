import { Injectable, Module } from '@nestjs/common';
import { getMetadataArgsStorage, Index } from 'typeorm';
import { BulkChangesModule } from '../../src/bulk-changes/bulk-changes.module.js';
import { BulkChangesService } from '../../src/bulk-changes/bulk-changes.service.js';
import { ImportsModule } from '../../src/imports/imports.module.js';
import { ImportsService } from '../../src/imports/imports.service.js';
import { Post } from '../../src/posts/post.entity.js';
import { PostsModule } from '../../src/posts/posts.module.js';
import { Conflict, type TakenValue, UniqueValues } from '../../src/problem-details/index.js';
import { ANONYMOUS_USER } from '../../src/users/user.js';
import { freshDatabase } from '../support/database.js';
import { makeApp } from '../support/nest-app.js';

const CLIENT = { name: 'a client' };

// Here posts have a unique title, as a field `slug` would be. The files that this worker runs later share the entity.
const INDEX = 'posts_by_unique_title';
const indices = getMetadataArgsStorage().indices;
const indicesOfEntities = indices.length;
Index(INDEX, ['title'], { unique: true })(Post);
afterAll(() => indices.splice(indicesOfEntities, 1));

const fresh = await freshDatabase();
await fresh.execute(`CREATE UNIQUE INDEX ${INDEX} ON posts (title)`);

class TitleTaken extends Conflict {
  constructor({ value, line }: TakenValue) {
    const detail = `Another post has the title ${String(value)}.`;
    const fault = {
      detail,
      code: 'repeated',
      pointer: '/title',
      ...(line !== undefined && { line }),
    } as const;
    super(detail, { errors: [fault] });
  }
}

@Injectable()
class UniqueTitles {
  constructor(uniqueValues: UniqueValues) {
    uniqueValues.add({
      entity: Post,
      property: 'title',
      index: INDEX,
      problemOf: (taken) => new TitleTaken(taken),
    });
  }
}

const app = await makeApp((service) => {
  @Module({ imports: [service, PostsModule, ImportsModule, BulkChangesModule], providers: [UniqueTitles] })
  class ModuleWithUniqueTitles {}
  return ModuleWithUniqueTitles;
}, fresh);
await app.listen(0, '127.0.0.1');
const list = `${await app.getUrl()}/posts/`;
const imports = app.get(ImportsService, { strict: false });
const bulkChanges = app.get(BulkChangesService, { strict: false });

interface Fault {
  readonly code: string;
  readonly detail: string;
  readonly pointer: string;
  readonly line?: number;
}

interface Sent {
  readonly status: number;
  readonly body: { id: number; code: string; detail: string; errors: Fault[] };
}

async function send(method: string, url: string, body: string, type = 'application/json', headers = {}) {
  const response = await fetch(url, { method, body, headers: { 'Content-Type': type, ...headers } });
  return { status: response.status, body: await response.json() } as Sent;
}

const json = (title: string): string => JSON.stringify({ title, body: '' });

async function create(title: string): Promise<number> {
  const { status, body } = await send('POST', list, json(title));
  expect(status).toBe(201);
  return body.id;
}

async function remove(id: number): Promise<void> {
  expect((await fetch(`${list}${id}/`, { method: 'DELETE' })).status).toBe(204);
}

const lines = (...posts: object[]): string => posts.map((post) => JSON.stringify(post)).join('\n');
const importLines = (text: string, headers = {}): Promise<Sent> =>
  send('POST', list, text, 'application/x-ndjson', headers);
const MERGE = { Prefer: 'resolution=merge-duplicates' };

const titlesWith = async (word: string): Promise<string[]> => {
  const rows = await fresh.query<{ title: string }>(
    `SELECT title FROM posts WHERE title LIKE '${word}%' ORDER BY title`,
  );
  return rows.map(({ title }) => title);
};

async function* chunks(...texts: readonly (string | (() => Promise<unknown>))[]): AsyncGenerator<Buffer> {
  for (const text of texts) {
    if (typeof text === 'string') yield Buffer.from(text);
    else await text();
  }
}

function faultAt(line: number, title: string): Fault {
  const detail = `Another post has the title ${title}.`;
  return { detail, code: 'repeated', pointer: '/title', line };
}

describe('a value that another post has', () => {
  it('is named by the 409 of a single write, alone or beside others', async () => {
    await create('single');
    const other = await create('single, too');
    const replaced = send('PUT', `${list}${other}/`, json('single'));
    const created = ['single', 'single 1', 'single 2'].map((title) => send('POST', list, json(title)));
    const [conflict, first, ...others] = await Promise.all([replaced, ...created]);
    for (const { status, body } of [conflict, first!]) {
      expect([status, body.code, body.detail]).toEqual([
        409,
        'conflict',
        'Another post has the title single.',
      ]);
      expect(body.errors).toMatchObject([{ pointer: '/title', code: 'repeated' }]);
    }
    expect(others.map(({ status }) => status)).toEqual([201, 201]);
  });

  it('is named with its lines by the 409 of an import, which stores nothing', async () => {
    await create('import 1');
    const titles = ['import 2', 'import 1', 'import 3', 'import 2'];
    const { status, body } = await importLines(lines(...titles.map((title) => ({ title, body: '' }))));
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect(body.errors).toEqual([faultAt(2, 'import 1'), faultAt(4, 'import 2')]);
    expect(await titlesWith('import')).toEqual(['import 1']);
  });

  it('is not taken by the post of the line itself', async () => {
    const id = await create('own');
    const changed = await importLines(lines({ id, title: 'own', body: 'changed' }), MERGE);
    expect([changed.status, changed.body]).toMatchObject([200, { replaced: 1 }]);
    const other = await create('own, other');
    const taken = await importLines(lines({ id: other, title: 'own', body: '' }), MERGE);
    expect([taken.status, taken.body.errors]).toEqual([409, [faultAt(1, 'own')]]);
  });

  it('is found by the check of an import', async () => {
    await create('check 1');
    const text = 'title,body\ncheck 2,\ncheck 1,\n,x\ncheck 2,\n';
    const { created, faults } = await imports.check({ body: chunks(text) });
    expect(created).toBe(3);
    expect(faults).toMatchObject([
      { row: 3, ...faultAt(3, 'check 1'), title: 'check 1' },
      { row: 4, code: 'blank' },
      { row: 5, ...faultAt(5, 'check 2'), title: 'check 2' },
    ]);
  });

  it('is named with its line when it was taken after the line was looked at', async () => {
    const posts = Array.from({ length: 200 }, (_, index) => ({ title: `race ${index}`, body: '' }));
    const [first, last] = [posts.slice(0, 150), posts.slice(150)];
    const body = chunks(`${lines(...first)}\n`, () => create('race 4'), lines(...last));
    const source = { body, mediaType: 'application/x-ndjson', author: ANONYMOUS_USER.author };
    await expect(imports.store(source)).rejects.toMatchObject({
      kind: { status: 409 },
      errors: [faultAt(5, 'race 4')],
    });
    expect(await titlesWith('race')).toEqual(['race 4']);
  });

  it('is named with its post by the restoration of many, which restores none', async () => {
    const ids = [await create('gone 1'), await create('gone 2'), await create('gone 3')];
    for (const id of ids) await remove(id);
    await create('gone 2');
    const fault = `The post ${ids[1]} cannot be restored, so none was restored: Another post has the title gone 2.`;
    const restored = (): Promise<unknown> => bulkChanges.restorePosts({ ids }, ANONYMOUS_USER, CLIENT);
    await expect(restored()).rejects.toMatchObject({ kind: { status: 409 }, message: fault });
    const third = await create('gone 3');
    await expect(restored()).rejects.toMatchObject({ message: `${fault} Nor can these: ${ids[2]}.` });
    await remove(third);
    expect(await titlesWith('gone')).toEqual(['gone 2']);
    const others = { ids: [ids[0]!, ids[2]!] };
    const steps: object[] = [];
    for await (const step of await bulkChanges.restorePosts(others, ANONYMOUS_USER, CLIENT)) steps.push(step);
    expect(steps[0]).toEqual({ done: 2, total: 2 });
    expect(await titlesWith('gone')).toEqual(['gone 1', 'gone 2', 'gone 3']);
  });
});
