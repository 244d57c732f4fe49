import { Account } from '../../src/accounts/account.entity.js';
import { Database } from '../../src/database/database.js';
import { RouteTable } from '../../src/http/request/route-table.js';
import { AdminClient, bearer, PASSWORD, type Role, startAdminService, tryLogIn } from '../support/admin.js';
import { aPost, type PostJson } from '../support/posts.js';

const { service, admin } = await startAdminService();

const ROLES = ['viewer', 'editor', 'administrator'] as const;

const roleMissing = (needed: Role, role: Role) =>
  expect.objectContaining({
    code: 'role-missing',
    status: 403,
    detail: `This request needs the role ${needed}; your role is ${role}.`,
  });

/** The lowest role for every operation that accepts a session. A new operation needs a line here. */
const RULES: Readonly<Record<string, Role>> = {
  'GET /admin/api/sessions/current/': 'viewer',
  'DELETE /admin/api/sessions/': 'viewer',
  'DELETE /admin/api/sessions/current/': 'viewer',
  'PUT /admin/api/accounts/current/': 'viewer',
  'GET /admin/api/accounts/current/tokens/': 'viewer',
  'GET /admin/api/posts/': 'viewer',
  'GET /admin/api/posts/{id}/': 'viewer',
  'GET /admin/api/posts/{id}/revisions/': 'viewer',
  'GET /admin/api/posts/{id}/revisions/{number}/': 'viewer',
  'GET /admin/api/changes/': 'viewer',
  'GET /admin/api/changes/count/': 'viewer',
  'GET /admin/api/changes/{id}/posts/': 'viewer',
  'GET /admin/api/deleted-posts/': 'viewer',
  'GET /admin/api/deleted-posts/count/': 'viewer',
  'GET /admin/api/excerpts/': 'viewer',
  'POST /admin/api/exports/': 'viewer',
  'GET /admin/api/months/': 'viewer',
  'GET /admin/api/dashboard/': 'viewer',
  'POST /admin/api/bulk-deletions/': 'editor',
  'POST /admin/api/restorations/': 'editor',
  'POST /admin/api/posts/{id}/revisions/{number}/restorations/': 'editor',
  'POST /admin/api/import-checks/': 'editor',
  'POST /admin/api/imports/': 'editor',
  'POST /admin/api/import-undos/': 'editor',
  'POST /admin/api/purges/': 'administrator',
  'GET /admin/api/accounts/': 'administrator',
  'POST /admin/api/accounts/': 'administrator',
  'GET /admin/api/accounts/{id}/': 'administrator',
  'PUT /admin/api/accounts/{id}/': 'administrator',
  'GET /admin/api/tokens/': 'administrator',
  'POST /admin/api/tokens/': 'administrator',
  'DELETE /admin/api/tokens/{id}/': 'administrator',
};
const OPEN = 'POST /admin/api/sessions/';
const WRITES: Readonly<Record<string, Role>> = {
  'POST /posts/': 'editor',
  'PUT /posts/': 'editor',
  'DELETE /posts/': 'editor',
  'PUT /posts/{id}/': 'editor',
  'DELETE /posts/{id}/': 'editor',
};

const operations = service.app
  .get(RouteTable)
  .routes.flatMap(({ path, operations: methods }) =>
    path.startsWith('/admin/api/') && !path.endsWith('/openapi.json')
      ? Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, rule: operation }))
      : [],
  );

describe('role checks', () => {
  const people = Promise.all(ROLES.map(async (role) => ({ role, client: await admin.addPerson(role) })));

  it('cover every operation of the administration', () => {
    const rules = Object.fromEntries(
      operations.map(({ name, rule: { needs, role } }) => [name, [needs, role]]),
    );
    expect(rules).toEqual({
      ...Object.fromEntries(Object.entries(RULES).map(([name, role]) => [name, ['session', role]])),
      [OPEN]: ['nothing', undefined],
    });
  });

  it.each(Object.entries({ ...RULES, ...WRITES }))('refuse %s below %s', async (operation, needed) => {
    const [method, path] = operation.split(' ');
    // An unknown id and no body: the service checks the role before it checks these.
    const target = path!.replaceAll(/\{\w+\}/g, '9007199254740991');
    if (RULES[operation]) {
      expect((await service.request(method!, target)).status).toBe(401);
      const { headers } = await admin.makeToken({ role: 'editor' });
      expect((await service.request(method!, target, { headers })).status).toBe(401);
    }
    for (const { role, client } of await people) {
      // Logging out must not end the session of the other rows.
      const isLogOut = operation.startsWith('DELETE /admin/api/sessions/');
      const response = await (isLogOut ? await admin.addPerson(role) : client).send(method!, target);
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
    const { headers } = await admin.addPerson('viewer');
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
      await service.import('{"title":"One","body":""}\n', headers),
    ];
    for (const { problem } of tries) expect(problem).toEqual(roleMissing('editor', 'viewer'));
    expect((await service.get(path)).json<PostJson>()).toEqual(post);
    expect((await service.request('PATCH', '/posts/', { headers })).status).toBe(405);
    expect((await service.request('OPTIONS', '/posts/', { headers })).status).toBe(204);
  });
});

describe('PUT /admin/api/accounts/current/', () => {
  it('lets a viewer change the password with the current one, and ends the sessions', async () => {
    const person = await admin.addPerson('viewer');
    const other = await AdminClient.logIn(service, person.username);
    const put = (json: object) => person.send('PUT', 'accounts/current/', json);
    const password = 'another good password';
    expect((await put({ password })).faultyPlaces).toEqual(['pointer /current_password']);
    const raised = await put({ password, current_password: PASSWORD, role: 'editor' });
    expect(raised.faultyPlaces).toEqual(['pointer /role']);
    const wrong = await put({ password, current_password: password });
    expect(wrong.problem.errors).toEqual([
      { detail: 'This is not your current password.', code: 'wrong_password', pointer: '/current_password' },
    ]);
    const done = await put({ password, current_password: PASSWORD });
    expect(done.json()).toMatchObject({ id: person.id, role: 'viewer' });
    for (const each of [person, other]) expect((await each.get('sessions/current/')).status).toBe(401);
    await AdminClient.logIn(service, person.username, password);
  });
});

describe('a change of the role', () => {
  it('takes effect at once for existing sessions', async () => {
    const person = await admin.addPerson('administrator');
    const statuses = async () => [
      (await person.get('accounts/')).status,
      (await person.send('POST', '/posts/', aPost())).status,
      (await person.get('changes/')).status,
    ];
    expect(await statuses()).toEqual([200, 201, 200]);
    expect((await admin.change(person, { role: 'editor' })).json()).toMatchObject({ role: 'editor' });
    expect(await statuses()).toEqual([403, 201, 200]);
    await admin.change(person, { role: 'viewer' });
    expect(await statuses()).toEqual([403, 403, 200]);
    const session = await person.get('sessions/current/');
    const { id, username } = person;
    expect(session.json<{ account: object }>().account).toEqual({ id, username, role: 'viewer' });
    await admin.change(person, { role: 'administrator' });
    expect(await statuses()).toEqual([200, 201, 200]);
  });

  it.each([['owner'], ['Administrator'], [''], [null], [2], [['viewer']]])('is refused: %j', async (role) => {
    expect((await admin.change(await admin.addAccount(), { role })).faultyPlaces).toEqual(['pointer /role']);
  });

  it('revokes only the account’s tokens of a higher role', async () => {
    const person = await admin.addPerson('administrator');
    const writing = await person.makeToken({ role: 'editor' });
    const reading = await person.makeToken({ role: 'viewer' });
    await admin.change(person, { role: 'editor' });
    expect((await service.post(aPost(), writing.headers)).status).toBe(201);
    await admin.change(person, { role: 'viewer' });
    expect((await service.post(aPost(), writing.headers)).status).toBe(401);
    expect((await service.get('/posts/?limit=1', reading.headers)).status).toBe(200);
  });
});

describe('an API token', () => {
  it('with the role viewer can read but not write', async () => {
    const { role, headers } = await admin.makeToken({ role: 'viewer' });
    expect(role).toBe('viewer');
    expect((await service.get('/posts/?limit=1', headers)).status).toBe(200);
    expect((await service.post(aPost(), headers)).problem).toEqual(roleMissing('editor', 'viewer'));
  });

  it.each<[string, object]>([
    ['/role', { role: 'administrator' }],
    ['/name', { name: undefined }],
    ['/name', { name: 'a\r\nb' }],
    ...['2020-01-01', new Date().toISOString(), 'tomorrow', '', null, 7, '2126-02-30'].map(
      (expires_at): [string, object] => ['/expires_at', { expires_at }],
    ),
  ])('is refused at %s: %j', async (place, json) => {
    const made = await admin.send('POST', 'tokens/', { name: 'x', current_password: PASSWORD, ...json });
    expect([made.status, made.faultyPlaces]).toEqual([400, [`pointer ${place}`]]);
  });
});

describe('a token that is not valid', () => {
  it.each([
    ['GET', '/', 401],
    ['HEAD', '/', 401],
    ['OPTIONS', '/posts/', 401],
    ['PATCH', '/posts/', 401],
    ['GET', '/docs/', 401],
    ['GET', '/openapi.json', 401],
    ['GET', '/admin/assets/icon-1.svg', 401],
    ['POST', '/admin/api/sessions/', 401],
    // These do not wait for the database.
    ['GET', '/health/live', 200],
    ['GET', '/health/ready', 200],
    ['GET', '/metrics', 200],
    ['GET', '/nowhere/', 404],
    ['GET', '/posts', 308],
  ])(
    'is refused even where none is required, but for health and unknown paths: %s %s',
    async (method, path, status) => {
      for (const token of ['psa_', `pst_${'A'.repeat(43)}`]) {
        const response = await service.request(method, path, { headers: bearer(token) });
        const challenge = status === 401 ? 'Bearer realm="posts", error="invalid_token"' : undefined;
        expect([response.status, response.headers['www-authenticate']]).toEqual([status, challenge]);
      }
      const valid = await service.request(method, path, { headers: admin.headers });
      expect(valid.status).toBe((await service.request(method, path)).status);
    },
  );

  it('is ignored where none is required when its form is not one of the service', async () => {
    expect((await service.post(aPost(), bearer('whatever'))).status).toBe(201);
    expect((await service.get('/admin/api/accounts/', bearer('whatever'))).status).toBe(401);
  });
});

describe('POST /admin/api/sessions/', () => {
  it.each([
    ['no field', {}, ['pointer /username', 'pointer /password']],
    ['wrong types', { username: 1, password: ['a'] }, ['pointer /username', 'pointer /password']],
    ['an unknown field', { username: 'a', password: 'b', admin: true }, ['pointer /admin']],
    ['a long name', { username: 'a'.repeat(101), password: 'b' }, ['pointer /username']],
    ['a long password', { username: 'a', password: 'b'.repeat(1_025) }, ['pointer /password']],
  ])('refuses %s', async (_, json, places) => {
    const response = await service.request('POST', '/admin/api/sessions/', { json });
    expect(response.faultyPlaces).toEqual(places);
  });

  it('accepts only JSON of at most 64 KiB', async () => {
    const form = { username: 'admin', password: PASSWORD };
    expect((await service.request('POST', '/admin/api/sessions/', { form })).status).toBe(415);
    const large = await tryLogIn(service, 'admin', 'x'.repeat(70_000));
    expect(large.status).toBe(413);
    expect(large.problem.detail).toContain('65536');
  });
});

describe('/admin/api/accounts/', () => {
  it('reports all faults in the form of a new account at once, then a wrong password, then a taken name', async () => {
    const post = async (json: object) => {
      const { errors = [] } = (await admin.send('POST', 'accounts/', json)).problem;
      return errors.map(({ code, pointer }) => `${pointer} ${code}`).join(', ');
    };
    const wrong = { password: 'short', current_password: 'wrong', role: 'x' };
    expect(await post({ username: 'ADMIN', ...wrong })).toBe('/role not_one_of, /password too_short');
    expect(await post({ username: 'admin' })).toBe('/password required, /current_password required');
    const right = { password: PASSWORD, current_password: PASSWORD };
    expect(await post({ username: 'ADMIN', ...right })).toBe('/username username_taken');
    expect(await post({ username: 'a\0', ...right })).toBe('/username malformed');
    expect(await post({ username: 'new one', ...right, current_password: 'wrong' })).toBe(
      '/current_password wrong_password',
    );
    expect(await post([])).toBe(' not_an_object');
  });

  it.each([[''], [' a'], ['a\0'], ['a'.repeat(101)], [7]])('refuses the name %j', async (username) => {
    const response = await admin.tryAddAccount({ username, password: PASSWORD });
    expect(response.faultyPlaces).toEqual(['pointer /username']);
  });

  it.each([['eleven char'], ['x'.repeat(1_025)], ['abcdabcdabcd'], ['SOME-PERSON some-person'], [null]])(
    'refuses the password %j',
    async (password) => {
      const response = await admin.tryAddAccount({ username: 'some-person', password });
      expect(response.faultyPlaces).toEqual(['pointer /password']);
      const person = await admin.addAccount({ username: `some-person ${password?.length}` });
      const own = password?.replaceAll(/some-person/gi, person.username) ?? null;
      expect((await admin.change(person, { password: own })).faultyPlaces).toEqual(['pointer /password']);
    },
  );

  it('requires the administrator’s password to set the password of another account', async () => {
    const person = await admin.addAccount({ role: 'editor' });
    const json = { password: 'another good password' };
    const given = await admin.send('PUT', `accounts/${person.id}/`, json);
    expect(given.faultyPlaces).toEqual(['pointer /current_password']);
    await AdminClient.logIn(service, person.username);
  });
});

describe('the last administrator', () => {
  it('cannot be demoted or disabled, even when two administrators do it concurrently', async () => {
    const onlyFirst = `UPDATE accounts SET is_enabled = 1, role = CASE WHEN id = 1 THEN 'administrator' ELSE 'viewer' END`;
    await service.database.execute(onlyFirst);
    for (let round = 0; round < 6; round += 1) {
      const first = await AdminClient.logIn(service);
      const other = await first.addPerson('administrator');
      const deed = round % 2 === 0 ? { role: 'viewer' } : { is_enabled: false };
      const responses = await Promise.all([first.change(other, deed), other.change(first, deed)]);
      const where = { role: 'administrator', isEnabled: 1 } as const;
      const left = await service.app.get(Database).reader.manager.countBy(Account, where);
      const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
      // The second request fails because its role or session is gone, before or within its transaction.
      expect([left, statuses[0], [401, 403].includes(statuses[1]!)]).toEqual([1, 200, true]);
      await service.database.execute(onlyFirst);
    }
    // Disabling the account has ended the session.
    const fresh = await AdminClient.logIn(service);
    for (const [json, pointer] of [
      [{ role: 'editor' }, '/role'],
      [{ is_enabled: false }, '/is_enabled'],
      [{ is_enabled: false, role: 'viewer' }, '/is_enabled'],
    ] as const) {
      expect((await fresh.change(fresh, json)).problem).toMatchObject({
        code: 'last-administrator',
        status: 409,
        errors: [{ code: 'last_administrator', pointer }],
      });
    }
    const same = { is_enabled: true, role: 'administrator' };
    expect((await fresh.send('PUT', 'accounts/1/', same)).status).toBe(200);
  });
});
