import { jest } from '@jest/globals';
import { request as openRequest } from 'node:http';
import { TokensRepository } from '../../src/accounts/tokens.repository.js';
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

const writes = {
  'POST of a post': { method: 'POST', path: '/posts/', type: JSON_TYPE, body: POST_BODY },
  'PUT of a post': { method: 'PUT', path: '', type: JSON_TYPE, body: POST_BODY },
  'import of lines': { method: 'POST', path: '/posts/', type: 'application/x-ndjson', body: LINES },
};
const adminWrites = {
  'import of a file in the site': {
    method: 'POST',
    path: '/admin/api/imports/',
    type: 'application/octet-stream',
    body: LINES,
  },
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

async function assertRefused(
  write: Omit<SlowRequest, 'headers'>,
  headers: Headers,
  end: () => Promise<string>,
): Promise<void> {
  const post = await service.create({ title: 'as it was' });
  const before = await service.count();
  let code = '';
  const slow = { ...write, path: write.path || post.path, headers };
  const response = await whileSent(slow, async () => (code = await end()));
  expect(response.problem).toMatchObject({ code, status: statusOf[code] });
  expect(await service.count()).toBe(before);
  expect((await service.get(post.path)).etag).toBe(post.etag);
}

describe.each(Object.entries({ ...writes, ...adminWrites }))('the %s', (_, write) => {
  it.each(Object.entries(endings))('stores nothing after %s', async (_word, end) => {
    const person = await admin.addPerson('editor');
    await assertRefused(write, person.headers, () => end(person));
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

it('stores what a session sends whose permission has not changed', async () => {
  const person = await admin.addPerson('editor');
  const slow = { ...writes['POST of a post'], headers: person.headers };
  expect((await whileSent(slow, () => Promise.resolve())).status).toBe(201);
});
