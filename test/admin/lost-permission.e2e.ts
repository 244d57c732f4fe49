import { jest } from '@jest/globals';
import { request as openRequest } from 'node:http';
import { TokensRepository } from '../../src/accounts/tokens.repository.js';
import { PostsService } from '../../src/posts/posts.service.js';
import { PostWritesRepository } from '../../src/posts/writes/post-writes.repository.js';
import { type AdminClient, type Headers, startAdminService } from '../support/admin.js';
import { type HttpResponse, responseTo } from '../support/http-client.js';
import { until } from '../support/until.js';

const { service, admin } = await startAdminService();

afterEach(() => jest.restoreAllMocks());

interface SlowRequest {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly headers: Headers;
  readonly body: string;
}

/** The posts that a write is about. */
interface Targets {
  readonly stored: number;
  readonly deleted: readonly number[];
}

/** A write of some posts. */
type Write = (targets: Targets) => Omit<SlowRequest, 'headers'> & { readonly headers?: Headers };

/** Sends a request whose body is complete only after the service has looked up its token, and `change` was made. */
async function whileSent(
  { method, path, type, headers, body }: SlowRequest,
  change: () => Promise<unknown>,
): Promise<HttpResponse> {
  const tokens = service.app.get(TokensRepository);
  const findUser = tokens.findUser.bind(tokens);
  let isFound = false;
  const lookUp = jest.spyOn(tokens, 'findUser').mockImplementationOnce(async (token) => {
    const user = await findUser(token, { name: 'a client' });
    isFound = user !== undefined;
    return user;
  });
  const request = openRequest(service.origin + path, {
    method,
    headers: { ...headers, 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)) },
  });
  const response = responseTo(request);
  request.write(body.slice(0, -1));
  await until(() => isFound);
  lookUp.mockRestore();
  await change();
  request.end(body.slice(-1));
  return response;
}

const JSON_TYPE = 'application/json';
const POST_BODY = JSON.stringify({ title: 'written too late', body: '' });
const LINES = Array.from({ length: 500 }, () => POST_BODY).join('\n');
const RECORDS = `title,body\r\n${'written too late,x\r\n'.repeat(500)}`;

const toJson = (path: string, json: object, method = 'POST') => ({
  method,
  path,
  type: JSON_TYPE,
  body: JSON.stringify(json),
});

const writes: Readonly<Record<string, Write>> = {
  'POST of a post': () => ({ method: 'POST', path: '/posts/', type: JSON_TYPE, body: POST_BODY }),
  'PUT of a post': ({ stored }) => ({
    method: 'PUT',
    path: `/posts/${stored}/`,
    type: JSON_TYPE,
    body: POST_BODY,
  }),
  'import of lines': () => ({ method: 'POST', path: '/posts/', type: 'application/x-ndjson', body: LINES }),
};
const adminWrites: Readonly<Record<string, Write>> = {
  'import of a file in the site': () => ({
    method: 'POST',
    path: '/admin/api/imports/',
    type: 'application/octet-stream',
    body: LINES,
  }),
};
/** Other ways to the same services. */
const otherWrites: Readonly<Record<string, Write>> = {
  'POST of a form': () => ({
    method: 'POST',
    path: '/posts/',
    type: 'application/x-www-form-urlencoded',
    body: 'title=written+too+late&body=x',
  }),
  'POST with an Idempotency-Key': () => ({
    method: 'POST',
    path: '/posts/',
    type: JSON_TYPE,
    headers: { 'Idempotency-Key': 'late' },
    body: POST_BODY,
  }),
  'PUT at the collection': ({ stored }) =>
    toJson('/posts/', { id: stored, title: 'written too late', body: '' }, 'PUT'),
  'import of CSV': () => ({ method: 'POST', path: '/posts/', type: 'text/csv', body: RECORDS }),
  'replacement in bulk': ({ stored }) => ({
    method: 'POST',
    path: '/posts/',
    type: 'application/x-ndjson',
    headers: { Prefer: 'resolution=merge-duplicates' },
    body: `${JSON.stringify({ id: stored, title: 'written too late', body: '' })}\n${LINES}`,
  }),
  'import of a file with ids in the site': ({ stored }) => ({
    method: 'POST',
    path: '/admin/api/imports/?ids=replace',
    type: 'application/octet-stream',
    body: `id,title,body\n${stored},written too late,x\n`,
  }),
  'restoration of a revision': ({ stored }) =>
    toJson(`/admin/api/posts/${stored}/revisions/1/restorations/`, { newest: 2 }),
  'deletion in bulk': ({ stored, deleted }) =>
    toJson('/admin/api/bulk-deletions/', { ids: [stored, ...deleted] }),
  'restoration in bulk': ({ deleted }) => toJson('/admin/api/restorations/', { ids: deleted }),
};

const LONG_AGO = '2020-01-01T00:00:00.000Z';

/** What ends the permission of a session. @returns the code of the problem */
const endings: Readonly<Record<string, (person: AdminClient) => Promise<string>>> = {
  'logging out': async (person) => {
    await person.send('DELETE', 'sessions/current/');
    return 'unauthorized';
  },
  'logging out everywhere': async (person) => {
    await person.send('DELETE', 'sessions/');
    return 'unauthorized';
  },
  'the time of the session': async ({ id }) => {
    await service.database.query(`UPDATE sessions SET expires_at = '${LONG_AGO}' WHERE account_id = ${id}`);
    return 'unauthorized';
  },
  'disabling the account': async (person) => {
    await admin.change(person, { is_enabled: false });
    return 'unauthorized';
  },
  'another password': async (person) => {
    await admin.change(person, { password: 'another long password' });
    return 'unauthorized';
  },
  'a lower role': async (person) => {
    await admin.change(person, { role: 'viewer' });
    return 'role-missing';
  },
};

const statusOf: Readonly<Record<string, number>> = { unauthorized: 401, 'role-missing': 403 };

/** What the posts are, and which changes were recorded for them. */
async function stateOf({ stored, deleted }: Targets): Promise<unknown> {
  const posts = [stored, ...deleted].map((id) => service.get(`/posts/${id}/`));
  const tags = (await Promise.all(posts)).map(({ status, etag }) => [status, etag]);
  const actions = "'created', 'imported', 'changed', 'deleted', 'restored', 'purged'";
  const changes = `SELECT count(*) AS number FROM post_revisions WHERE action IN (${actions})`;
  return [await service.count(), tags, await service.database.query(changes)];
}

async function makeTargets(): Promise<Targets> {
  const [post, ...others] = await service.createAll([{ title: 'as it was' }, {}, {}]);
  await service.put(post!.path, { title: 'as it is', body: '' });
  for (const { path } of others) await service.delete(path);
  return { stored: post!.id, deleted: others.map(({ id }) => id) };
}

async function assertRefused(write: Write, headers: Headers, end: () => Promise<string>): Promise<void> {
  const targets = await makeTargets();
  const before = await stateOf(targets);
  let code = '';
  const slow = write(targets);
  const response = await whileSent(
    { ...slow, headers: { ...slow.headers, ...headers } },
    async () => (code = await end()),
  );
  expect(response.problem).toMatchObject({ code, status: statusOf[code] });
  expect(await stateOf(targets)).toEqual(before);
}

describe.each(Object.entries({ ...writes, ...adminWrites }))('the %s', (_, write) => {
  it.each(Object.entries(endings))('stores nothing after %s', async (_word, end) => {
    const person = await admin.addPerson('editor');
    await assertRefused(write, person.headers, () => end(person));
  });
});

describe.each(Object.entries(otherWrites))('the %s', (_, write) => {
  it.each(['logging out', 'a lower role'])('stores nothing after %s', async (ending) => {
    const person = await admin.addPerson('editor');
    await assertRefused(write, person.headers, () => endings[ending]!(person));
  });
});

describe.each(Object.entries(writes))('the %s with an API token', (_, write) => {
  it('stores nothing after the token was revoked', async () => {
    const { id, headers } = await admin.makeToken({ role: 'editor' });
    await assertRefused(write, headers, async () => {
      expect((await admin.send('DELETE', `tokens/${id}/`)).status).toBe(204);
      return 'unauthorized';
    });
  });

  it('stores nothing after the token has expired', async () => {
    const { id, headers } = await admin.makeToken({ role: 'editor' });
    await assertRefused(write, headers, async () => {
      await service.database.query(`UPDATE api_tokens SET expires_at = '${LONG_AGO}' WHERE id = ${id}`);
      return 'unauthorized';
    });
  });
});

describe.each(['/posts/{id}/', '/posts/?id={id}'])('the DELETE of %s', (path) => {
  it.each(['logging out', 'a lower role'])('deletes nothing after %s', async (ending) => {
    const person = await admin.addPerson('editor');
    const targets = await makeTargets();
    const before = await stateOf(targets);
    const tokens = service.app.get(TokensRepository);
    const findUser = tokens.findUser.bind(tokens);
    let code = '';
    // It has no body for which it could wait.
    jest.spyOn(tokens, 'findUser').mockImplementationOnce(async (token) => {
      const user = await findUser(token, { name: 'a client' });
      code = await endings[ending]!(person);
      return user;
    });
    const response = await service.delete(path.replace('{id}', String(targets.stored)), person.headers);
    expect(response.problem).toMatchObject({ code, status: statusOf[code] });
    expect(await stateOf(targets)).toEqual(before);
  });
});

it('deletes nothing for a client that has gone while its token was looked up', async () => {
  const { stored } = await makeTargets();
  const tokens = service.app.get(TokensRepository);
  const findUser = tokens.findUser.bind(tokens);
  const request = openRequest(`${service.origin}/posts/${stored}/`, {
    method: 'DELETE',
    headers: admin.headers,
  });
  request.on('error', () => undefined);
  const deleted = jest.spyOn(service.app.get(PostsService), 'delete');
  const lookUp = jest.spyOn(tokens, 'findUser').mockImplementationOnce(async (token, client) => {
    const user = await findUser(token, client);
    request.destroy();
    await service.untilInFlight(0);
    return user;
  });
  request.end();
  await until(() => lookUp.mock.results.length > 0);
  await lookUp.mock.results[0]!.value;
  // It is looked up, too.
  expect((await service.get(`/posts/${stored}/`, admin.headers)).status).toBe(200);
  expect(deleted).not.toHaveBeenCalled();
});

it('exports nothing after logging out, and records no export', async () => {
  const person = await admin.addPerson('viewer');
  const slow = { ...toJson('/admin/api/exports/', { format: 'ndjson' }), headers: person.headers };
  const response = await whileSent(slow, () => person.send('DELETE', 'sessions/current/'));
  expect(response.problem).toMatchObject({ code: 'unauthorized', status: 401 });
  const exported = `SELECT * FROM post_revisions WHERE action = 'exported' AND author_name = '${person.username}'`;
  expect(await service.database.query(exported)).toEqual([]);
});

it('stores what a session sends whose permission has not changed', async () => {
  const person = await admin.addPerson('editor');
  const slow = writes['POST of a post']!(await makeTargets());
  const sent = { ...slow, headers: person.headers };
  expect((await whileSent(sent, () => Promise.resolve())).status).toBe(201);
});

it('purges nothing after a lower role, and records no purge', async () => {
  const person = await admin.addPerson('administrator');
  const purge: Write = ({ deleted }) => toJson('/admin/api/purges/', { ids: deleted });
  await assertRefused(purge, person.headers, async () => {
    await admin.change(person, { role: 'editor' });
    return 'role-missing';
  });
});

// On SQLite, nothing else is written while an import stores its posts.
const itOnPostgres = globalThis.TEST_DATABASE === 'postgres' ? it : () => undefined;

itOnPostgres('imports nothing after a lower role while the posts are stored', async () => {
  const person = await admin.addPerson('editor');
  const posts = service.app.get(PostWritesRepository);
  const findForUpdate = posts.findForUpdate.bind(posts);
  jest.spyOn(posts, 'findForUpdate').mockImplementationOnce(async (...wanted) => {
    await admin.change(person, { role: 'viewer' });
    return findForUpdate(...wanted);
  });
  const before = await service.count();
  const { problem } = await service.import(LINES, person.headers);
  expect(problem).toMatchObject({ code: 'role-missing', status: 403 });
  expect(await service.count()).toBe(before);
});
