import { Database } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';
import { AdminClient, PASSWORD } from '../support/admin.js';
import { type Outcome, runCommand } from '../support/command.js';
import { type FreshDatabase, freshDatabase, freshPostgresDatabase } from '../support/database.js';
import type { HttpResponse } from '../support/http-client.js';
import { aPost, type PostJson } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';

const SAME = { PUBLIC_URL: 'http://posts.test', ADMIN_PASSWORD: PASSWORD };
const KEYED = { json: aPost({ title: 'keyed' }), headers: { 'Idempotency-Key': '"k"' } };

/** `cmin` is the number of the statement in its transaction that inserted the row. */
const BY_STATEMENT = sql<{ posts: number; bytes: number }>`
  SELECT CAST(count(*) AS integer) AS "posts", CAST(sum(octet_length(body)) AS integer) AS "bytes"
  FROM posts GROUP BY CAST(cmin AS text)
`;

const databases: FreshDatabase[] = [];
afterAll(() => Promise.all(databases.map((database) => database.remove())));

async function sqliteAndPostgres(): Promise<[FreshDatabase, FreshDatabase]> {
  const pair: [FreshDatabase, FreshDatabase] = [await freshDatabase('sqlite'), await freshPostgresDatabase()];
  databases.push(...pair);
  return pair;
}

async function serving<Result>(url: string, work: (service: Service) => Promise<Result>): Promise<Result> {
  const service = await startService({ ...SAME, DATABASE_URL: url });
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

/** Everything that a client can see of the posts. */
async function everything(service: Service): Promise<string[]> {
  const responses: HttpResponse[] = [await service.get('/posts/?limit=1000', { Prefer: 'count=exact' })];
  for (const { id } of responses[0]!.json<PostJson[]>()) responses.push(await service.get(`/posts/${id}/`));
  responses.push(await service.get('/posts/', { Accept: 'application/atom+xml' }));
  responses.push(await service.get('/posts/?search=replaced'));
  return responses.map(({ text, etag, headers }) => `${headers['x-total-count']} ${etag} ${text}`);
}

/** The history of the posts: the changes, their authors, and the earlier contents. */
async function historyOf(service: Service): Promise<{ post_id?: number; id: number }[][]> {
  const admin = await AdminClient.logIn(service);
  const paths = ['changes/', 'posts/3/revisions/', 'posts/5/revisions/'];
  const responses = await Promise.all(paths.map((path) => admin.get(`${path}?limit=1000`)));
  const [changes, ...revisions] = responses.map((response) =>
    response.json<{ post_id?: number; id: number }[]>(),
  );
  const ofPosts = changes!.filter(({ post_id: id }) => id !== undefined);
  return [ofPosts, ...revisions, [(await admin.get('posts/3/revisions/1/')).json()]];
}

function runMove(from: string, to: string): Promise<Outcome> {
  return runCommand(['move', '--from', from, '--to', to], { folder: import.meta.dirname });
}

describe('npm run posts -- move', () => {
  it('moves posts with ids and entity tags, history, idempotency keys, and the next ids', async () => {
    const [sqlite, postgres] = await sqliteAndPostgres();
    const before = await serving(sqlite.url, async (service) => {
      await service.createAll(
        Array.from({ length: 120 }, (_, n) => ({ title: `\u{1f600} ${n}`, body: 'é\r\n'.repeat(n) })),
      );
      // More bytes than one batch of rows may have.
      for (const id of [10, 11, 12])
        await service.put(`/posts/${id}/`, aPost({ body: 'ä'.repeat(1_500_000) }));
      await service.put('/posts/3/', aPost({ title: 'replaced' }));
      await service.delete('/posts/5/');
      await service.request('POST', '/posts/', KEYED);
      const { id } = await service.create();
      await service.delete(`/posts/${id}/`);
      return { seen: await everything(service), history: await historyOf(service), lastId: id };
    });
    const { stdout } = await runMove(sqlite.url, postgres.url);
    expect(stdout).toMatch(/^posts: 120$/m);
    expect(stdout).toMatch(/^idempotency_keys: 1$/m);
    expect(stdout).toContain('Everything was moved.');

    await serving(postgres.url, async (service) => {
      const statements = await service.app.get(Database, { strict: false }).reader.all(BY_STATEMENT, {});
      const tooLarge = statements.filter(({ posts, bytes }) => posts > 1 && bytes > 4 * 1_048_576);
      expect([statements.length > 2, tooLarge]).toEqual([true, []]);
      expect(await everything(service)).toEqual(before.seen);
      expect(await historyOf(service)).toEqual(before.history);
      expect((await service.get('/posts/5/')).status).toBe(404);
      const replayed = await service.request('POST', '/posts/', KEYED);
      expect(replayed.headers['idempotency-replayed']).toBe('true');
      const { id } = await service.create();
      expect(id).toBe(before.lastId + 1);
      // The ids of history entries continue, too.
      const [[last]] = (await historyOf(service)) as [[{ post_id: number; id: number }]];
      expect([last.post_id, last.id > before.history[0]![0]!.id]).toEqual([id, true]);
      expect(await service.count()).toBe(121);
    });
  });

  it('moves an empty service', async () => {
    const [sqlite, postgres] = await sqliteAndPostgres();
    await serving(sqlite.url, () => Promise.resolve());
    expect((await runMove(sqlite.url, postgres.url)).stdout).toMatch(/^posts: 0$/m);
    await serving(postgres.url, async (service) => expect((await service.create()).id).toBe(1));
  });

  it('refuses a database that has posts already, and changes nothing', async () => {
    const [sqlite, postgres] = await sqliteAndPostgres();
    await serving(sqlite.url, (service) => service.create({ title: 'from' }));
    const before = await serving(postgres.url, async (service) => {
      await service.create({ title: 'to' });
      return everything(service);
    });
    const stderr = 'The PostgreSQL database is not empty: there are rows in posts. Nothing was moved.\n';
    expect(await runMove(sqlite.url, postgres.url)).toEqual({ status: 1, stdout: '', stderr });
    expect(await serving(postgres.url, everything)).toEqual(before);
  });

  it.each([
    ['sqlite:nothing.sqlite', 'postgres://h/d', '--from: there is no file nothing.sqlite\n'],
    ['postgres://h/d', 'postgres://h/d', '--from must be a SQLite database, --to a PostgreSQL database.\n'],
    ['mysql://h/d', 'postgres://h/d', /^ {2}--from: must be sqlite:/m],
    ['sqlite:nothing.sqlite', 'host/database', /^ {2}--to: must be sqlite:/m],
  ])('refuses to move from %s to %s', async (from, to, message) => {
    const refused = await runMove(from, to);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(message);
  });
});
