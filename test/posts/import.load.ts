import { jest } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { Database } from '../../src/database/database.js';
import type { HttpResponse } from '../support/http-client.js';
import { postsNamed } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService({ MAX_BODY_BYTES: '100000' });
afterEach(() => jest.restoreAllMocks());

const NDJSON = 'application/x-ndjson';

function importLines(lines: readonly object[]): Promise<HttpResponse> {
  return service.import(lines.map((line) => JSON.stringify(line)).join('\n'));
}

describe('POST /posts/ with Content-Type: application/x-ndjson', () => {
  it('lets other requests be answered while it reads many small lines of one packet', async () => {
    const body = gzipSync('{"title":"small","body":""}\n'.repeat(20_000), { level: 9 });
    const progress = { isOver: false };
    const imported = service.import(body, { 'Content-Encoding': 'gzip' });
    const running = imported.finally(() => (progress.isOver = true));
    let answered = 0;
    while (!progress.isOver) {
      expect((await service.get('/health/live')).status).toBe(200);
      answered += 1;
    }
    expect([(await running).status, answered > 10]).toEqual([201, true]);
  });

  it('shows all its posts at the same moment, while other clients read and write', async () => {
    const before = await service.count();
    const total = 2_500;
    const progress = { isOver: false };
    const running = importLines(postsNamed('race', total)).finally(() => {
      progress.isOver = true;
    });
    const seen = new Set<number>();
    let made = 0;
    while (!progress.isOver) {
      const [counted, found] = await Promise.all([
        service.count(),
        service.get('/posts/?search=race&fields=id', { Accept: NDJSON }),
      ]);
      seen.add(counted - before - made);
      seen.add(found.text === '' ? 0 : found.text.trim().split('\n').length);
      const { path } = await service.create({ title: 'alone' });
      await service.delete(path);
      await service.create({ title: 'alone' });
      made++;
    }
    expect((await running).status).toBe(201);
    expect([...seen].filter((number) => number !== 0 && number !== total)).toEqual([]);
    expect(await service.count()).toBe(before + total + made);
    expect((await service.get('/posts/?title=alone&limit=1000&fields=id')).json()).toHaveLength(made);
  });
});

describe('an import that ends in the middle', () => {
  const itOnSqlite = globalThis.TEST_DATABASE === 'sqlite' ? it : () => undefined;

  itOnSqlite('is refused when it takes longer than other writes can wait', async () => {
    const before = await service.count();
    const limit = jest.replaceProperty(service.app.get(Database), 'maxWriteMs', 20);
    const { problem } = await importLines(postsNamed('long', 20_000));
    expect(problem).toMatchObject({ status: 413, code: 'import-too-long' });
    expect(problem.detail).toMatch(/smaller files.*PostgreSQL/);
    expect(await service.count()).toBe(before);
    limit.restore();
    expect((await importLines(postsNamed('short', 1))).status).toBe(201);
  });
});

describe('an import with the limits of a new installation', () => {
  it('stores posts of several MiB among short ones', async () => {
    const roomy = await startService();
    const [short] = postsNamed('short', 1);
    const posts = [
      short,
      { title: 'long', body: 'x'.repeat(6_000_000) },
      short,
      { title: 'longer', body: 'y'.repeat(15_000_000) },
    ];
    const response = await roomy.import(posts.map((post) => JSON.stringify(post)).join('\n'));
    expect([response.status, response.json<{ created: number }>().created]).toEqual([201, 4]);
    await roomy.stop();
  });
});
