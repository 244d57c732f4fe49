import { Account } from '../../src/accounts/account.entity.js';
import { Database } from '../../src/database/database.js';
import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const PASSWORD = 'correct horse battery';
/** Behind a proxy, so that each test can log in from its own address. */
const service = await startService({ ADMIN_PASSWORD: PASSWORD, TRUST_PROXY: '1' });

const ROLES = ['viewer', 'editor', 'administrator'] as const;
type Role = (typeof ROLES)[number];
type Headers = Readonly<Record<string, string>>;

interface Person {
  readonly id: number;
  readonly username: string;
  readonly headers: Headers;
}

let addresses = 0;
let names = 0;

async function logIn(username: string, password = PASSWORD): Promise<Headers> {
  const response = await service.request('POST', '/admin/api/sessions/', {
    json: { username, password },
    headers: { 'X-Forwarded-For': `198.51.100.${(addresses += 1)}` },
  });
  expect(response.status).toBe(201);
  return { Authorization: `Bearer ${response.json<{ token: string }>().token}` };
}

const admin = await logIn('admin');

const send = (method: string, path: string, json: object | undefined, headers: Headers) =>
  service.request(method, path, { headers, ...(json && { json }) });

async function addPerson(role?: Role, as = admin): Promise<Person> {
  const username = `person ${(names += 1)}`;
  const json = { username, password: PASSWORD, current_password: PASSWORD, ...(role && { role }) };
  const added = await send('POST', '/admin/api/accounts/', json, as);
  expect(added.status).toBe(201);
  const { id, role: given } = added.json<{ id: number; role: Role }>();
  expect(given).toBe(role ?? 'viewer');
  return { id, username, headers: await logIn(username) };
}

const change = ({ id }: { id: number }, json: object, headers = admin) =>
  send('PUT', `/admin/api/accounts/${id}/`, json, headers);

const makeToken = async (json: object, headers = admin) => {
  const made = await send('POST', '/admin/api/tokens/', { name: 'a program', ...json }, headers);
  expect(made.status).toBe(201);
  const { token, ...shown } = made.json<{ id: number; token: string; role: string }>();
  return { ...shown, headers: { Authorization: `Bearer ${token}` } };
};

const roleMissing = (needed: Role, role: Role) => ({
  type: `${service.baseUrl}/problems/role-missing/`,
  code: 'role-missing',
  title: 'Role missing',
  status: 403,
  detail: `This request needs the role ${needed}; your role is ${role}.`,
});

/** The lowest role for every operation that accepts a session. A new operation needs a line here. */
const RULES: Readonly<Record<string, Role>> = {
  'GET /admin/api/sessions/current/': 'viewer',
  'DELETE /admin/api/sessions/current/': 'viewer',
  'PUT /admin/api/accounts/current/': 'viewer',
  'GET /admin/api/posts/{id}/': 'viewer',
  'GET /admin/api/posts/{id}/revisions/': 'viewer',
  'GET /admin/api/posts/{id}/revisions/{number}/': 'viewer',
  'GET /admin/api/changes/': 'viewer',
  'GET /admin/api/changes/{id}/posts/': 'viewer',
  'GET /admin/api/deleted-posts/': 'viewer',
  'GET /admin/api/excerpts/': 'viewer',
  'GET /admin/api/months/': 'viewer',
  'GET /admin/api/dashboard/': 'viewer',
  'POST /admin/api/bulk-deletions/': 'editor',
  'POST /admin/api/restorations/': 'editor',
  'POST /admin/api/import-checks/': 'editor',
  'DELETE /admin/api/deleted-posts/{id}/': 'administrator',
  'POST /admin/api/purges/': 'administrator',
  'GET /admin/api/accounts/': 'administrator',
  'POST /admin/api/accounts/': 'administrator',
  'GET /admin/api/accounts/{id}/': 'administrator',
  'PUT /admin/api/accounts/{id}/': 'administrator',
  'GET /admin/api/tokens/': 'administrator',
  'POST /admin/api/tokens/': 'administrator',
  'DELETE /admin/api/tokens/{id}/': 'administrator',
};
const OPEN = ['POST /admin/api/sessions/', 'GET /admin/api/openapi.json'];
const WRITES: Readonly<Record<string, Role>> = {
  'POST /posts/': 'editor',
  'PUT /posts/': 'editor',
  'DELETE /posts/': 'editor',
  'PUT /posts/{id}/': 'editor',
  'DELETE /posts/{id}/': 'editor',
};

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: object[] }>>>>;
}

const METHODS = ['get', 'post', 'put', 'delete'];
const { paths } = (await service.get('/admin/api/openapi.json')).json<Description>();
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  METHODS.filter((method) => method in methods).map((method) => `${method.toUpperCase()} ${path}`),
);

describe('role checks', () => {
  const people = Promise.all(ROLES.map(async (role) => ({ role, ...(await addPerson(role)) })));

  it('cover every operation of the administration', () => {
    expect([...OPEN, ...Object.keys(RULES)].toSorted()).toEqual(operations.toSorted());
    const unprotected = operations.filter((operation) => {
      const [method, path] = operation.split(' ');
      return paths[path!]![method!.toLowerCase()]!.security === undefined;
    });
    expect(unprotected.toSorted()).toEqual(OPEN.toSorted());
  });

  it.each(Object.entries({ ...RULES, ...WRITES }))('refuse %s below %s', async (operation, needed) => {
    const [method, path] = operation.split(' ');
    // An unknown id and no body: the service checks the role before it checks these.
    const target = path!.replaceAll(/\{\w+\}/g, '9007199254740991');
    if (RULES[operation]) {
      expect((await service.request(method!, target)).status).toBe(401);
      const token = await makeToken({ role: 'editor' });
      expect((await service.request(method!, target, { headers: token.headers })).status).toBe(401);
    }
    for (const { role, username, headers: own } of await people) {
      const headers = operation.startsWith('DELETE /admin/api/sessions/') ? await logIn(username) : own;
      const response = await service.request(method!, target, { headers });
      if (ROLES.indexOf(role) < ROLES.indexOf(needed)) {
        expect(response.problem).toEqual(roleMissing(needed, role));
      } else {
        expect([200, 204, 400, 404, 415]).toContain(response.status);
      }
    }
  });
});

describe('a viewer', () => {
  it('reads and exports posts, and cannot write them in any way', async () => {
    const { headers } = await addPerson('viewer');
    const post = await service.create();
    const { path } = post;
    for (const Accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
      expect((await service.get('/posts/', { ...headers, Accept })).status).toBe(200);
    }
    const tries = [
      await service.post(aPost(), headers),
      await service.post(aPost(), { ...headers, 'Idempotency-Key': 'a viewer' }),
      await service.put(path, aPost(), headers),
      await service.request('PUT', '/posts/', { json: { ...post, title: 'New' }, headers }),
      await service.delete(path, headers),
      await service.request('POST', '/posts/', {
        body: '{"title":"One","body":""}\n',
        headers: { ...headers, 'Content-Type': 'application/x-ndjson' },
      }),
    ];
    for (const { problem } of tries) expect(problem).toEqual(roleMissing('editor', 'viewer'));
    expect((await service.get(path)).json<PostJson>()).toEqual(post);
    expect((await service.request('PATCH', '/posts/', { headers })).status).toBe(405);
    expect((await service.request('OPTIONS', '/posts/', { headers })).status).toBe(204);
  });

  it('cannot gain a higher role through accounts or tokens', async () => {
    const person = await addPerson('viewer');
    const tries = [
      await change(person, { role: 'administrator' }, person.headers),
      await change({ id: 1 }, { is_enabled: false }, person.headers),
      await send('POST', '/admin/api/accounts/', { username: 'x', password: PASSWORD }, person.headers),
      await send('POST', '/admin/api/tokens/', { name: 'x' }, person.headers),
    ];
    for (const { problem } of tries) expect(problem).toEqual(roleMissing('administrator', 'viewer'));
    const own = { password: 'another good password', current_password: PASSWORD };
    const raised = await send(
      'PUT',
      '/admin/api/accounts/current/',
      { ...own, role: 'editor' },
      person.headers,
    );
    expect(raised.faultyPlaces).toEqual(['pointer /role']);
  });
});

describe('PUT /admin/api/accounts/current/', () => {
  it('lets a viewer change the password with the current one, and ends the sessions', async () => {
    const person = await addPerson('viewer');
    const other = await logIn(person.username);
    const put = (json: object) => send('PUT', '/admin/api/accounts/current/', json, person.headers);
    const password = 'another good password';
    expect((await put({ password })).faultyPlaces).toEqual(['pointer /current_password']);
    const wrong = await put({ password, current_password: password });
    expect(wrong.problem.errors).toEqual([
      { detail: 'This is not your current password.', code: 'wrong_password', pointer: '/current_password' },
    ]);
    const done = await put({ password, current_password: PASSWORD });
    expect(done.json()).toMatchObject({ id: person.id, role: 'viewer' });
    for (const headers of [person.headers, other]) {
      expect((await service.get('/admin/api/sessions/current/', headers)).status).toBe(401);
    }
    await logIn(person.username, password);
  });
});

describe('a change of the role', () => {
  it('takes effect at once for existing sessions', async () => {
    const person = await addPerson('administrator');
    const statuses = async () => [
      (await service.get('/admin/api/accounts/', person.headers)).status,
      (await service.post(aPost(), person.headers)).status,
      (await service.get('/admin/api/changes/', person.headers)).status,
    ];
    expect(await statuses()).toEqual([200, 201, 200]);
    expect((await change(person, { role: 'editor' })).json()).toMatchObject({ role: 'editor' });
    expect(await statuses()).toEqual([403, 201, 200]);
    await change(person, { role: 'viewer' });
    expect(await statuses()).toEqual([403, 403, 200]);
    const session = await service.get('/admin/api/sessions/current/', person.headers);
    expect(session.json<{ account: object }>().account).toEqual({
      id: person.id,
      username: person.username,
      role: 'viewer',
    });
    await change(person, { role: 'administrator' });
    expect(await statuses()).toEqual([200, 201, 200]);
  });

  it.each([['owner'], ['Administrator'], [''], [null], [2], [['viewer']]])('is refused: %j', async (role) => {
    expect((await change(await addPerson(), { role })).faultyPlaces).toEqual(['pointer /role']);
  });

  it('revokes only the account’s tokens of a higher role', async () => {
    const person = await addPerson('administrator');
    const writing = await makeToken({ role: 'editor' }, person.headers);
    const reading = await makeToken({ role: 'viewer' }, person.headers);
    await change(person, { role: 'editor' });
    expect((await service.post(aPost(), writing.headers)).status).toBe(201);
    await change(person, { role: 'viewer' });
    expect((await service.post(aPost(), writing.headers)).status).toBe(401);
    expect((await service.get('/posts/?limit=1', reading.headers)).status).toBe(200);
  });
});

describe('an API token', () => {
  it('with the role viewer can read but not write', async () => {
    const { role, headers } = await makeToken({ role: 'viewer' });
    expect(role).toBe('viewer');
    expect((await service.get('/posts/?limit=1', headers)).status).toBe(200);
    expect((await service.post(aPost(), headers)).problem).toEqual(roleMissing('editor', 'viewer'));
  });

  it('cannot have the role administrator', async () => {
    const json = { name: 'x', role: 'administrator' };
    const response = await send('POST', '/admin/api/tokens/', json, admin);
    expect(response.faultyPlaces).toEqual(['pointer /role']);
  });
});

describe('/admin/api/accounts/', () => {
  it('reports all faults of a new account at once, including a taken name', async () => {
    const post = async (json: object) =>
      (await send('POST', '/admin/api/accounts/', json, admin)).problem.errors?.map(
        ({ code, pointer }) => `${pointer} ${code}`,
      );
    expect(
      await post({ username: 'ADMIN', password: 'short', current_password: 'wrong', role: 'x' }),
    ).toEqual([
      '/role not_one_of',
      '/password too_short',
      '/current_password wrong_password',
      '/username username_taken',
    ]);
    expect(await post({ username: 'admin' })).toEqual([
      '/password required',
      '/current_password required',
      '/username username_taken',
    ]);
    expect(await post({ username: 'a\0', password: PASSWORD, current_password: PASSWORD })).toEqual([
      '/username malformed',
    ]);
    expect(await post({ username: 'new one', password: PASSWORD, current_password: 'wrong' })).toEqual([
      '/current_password wrong_password',
    ]);
    expect(await post([])).toEqual([' not_an_object']);
  });

  it('requires the administrator’s password to set the password of another account', async () => {
    const person = await addPerson('editor');
    const given = await change(person, { password: 'another good password' });
    expect(given.faultyPlaces).toEqual(['pointer /current_password']);
    await logIn(person.username);
  });
});

describe('the last administrator', () => {
  it('cannot be demoted or disabled, even when two administrators do it concurrently', async () => {
    const onlyFirst = `UPDATE accounts SET is_enabled = 1, role = CASE WHEN id = 1 THEN 'administrator' ELSE 'viewer' END`;
    await service.database.execute(onlyFirst);
    for (let round = 0; round < 6; round += 1) {
      const first = await logIn('admin');
      const other = await addPerson('administrator', first);
      const deed = round % 2 === 0 ? { role: 'viewer' } : { is_enabled: false };
      const responses = await Promise.all([
        change(other, deed, first),
        change({ id: 1 }, deed, other.headers),
      ]);
      const where = { role: 'administrator', isEnabled: 1 } as const;
      const left = await service.app.get(Database).reader.manager.countBy(Account, where);
      const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
      // The second request fails because its role or session is gone, before or within its transaction.
      expect([left, statuses[0], [401, 403].includes(statuses[1]!)]).toEqual([1, 200, true]);
      await service.database.execute(onlyFirst);
    }
    // Disabling the account has ended the session.
    const fresh = await logIn('admin');
    for (const [json, pointer] of [
      [{ role: 'editor' }, '/role'],
      [{ is_enabled: false }, '/is_enabled'],
      [{ is_enabled: false, role: 'viewer' }, '/is_enabled'],
    ] as const) {
      expect((await change({ id: 1 }, json, fresh)).problem).toMatchObject({
        code: 'last-administrator',
        status: 409,
        errors: [{ code: 'last_administrator', pointer }],
      });
    }
    const disabled = await send(
      'PUT',
      '/admin/api/accounts/1/',
      { is_enabled: true, role: 'administrator' },
      fresh,
    );
    expect(disabled.status).toBe(200);
  });
});
