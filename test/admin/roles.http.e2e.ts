import { type Role, ROLES } from '../../src/users/user.js';
import { RouteTable } from '../../src/http/routes/route-table.js';
import { AdminClient, bearer, PASSWORD, startAdminService, tryLogIn } from '../support/admin.js';
import { aPost } from '../support/posts.js';
import { headOf, parseRawResponse, rawExchange } from '../support/raw-exchange.js';

const { service, admin } = await startAdminService();

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
  'GET /admin/api/posts/{id}/': 'viewer',
  'GET /admin/api/posts/{id}/revisions/': 'viewer',
  'GET /admin/api/posts/{id}/revisions/{number}/': 'viewer',
  'GET /admin/api/changes/': 'viewer',
  'GET /admin/api/changes/{id}/posts/': 'viewer',
  'GET /admin/api/deleted-posts/': 'viewer',
  'GET /admin/api/deleted-posts/count/': 'viewer',
  'GET /admin/api/excerpts/': 'viewer',
  'POST /admin/api/exports/': 'viewer',
  'GET /admin/api/dashboard/': 'viewer',
  'POST /admin/api/bulk-deletions/': 'editor',
  'POST /admin/api/restorations/': 'editor',
  'POST /admin/api/posts/{id}/revisions/{number}/restorations/': 'editor',
  'POST /admin/api/import-checks/': 'editor',
  'POST /admin/api/imports/': 'editor',
  'POST /admin/api/purges/': 'administrator',
  'GET /admin/api/accounts/': 'administrator',
  'POST /admin/api/accounts/': 'administrator',
  'PUT /admin/api/accounts/{id}/': 'administrator',
  'GET /admin/api/tokens/': 'administrator',
  'POST /admin/api/tokens/': 'administrator',
  'DELETE /admin/api/tokens/{id}/': 'administrator',
};
const WRITES = ['POST /posts/', 'PUT /posts/', 'DELETE /posts/', 'PUT /posts/{id}/', 'DELETE /posts/{id}/'];
const NEEDED = [...Object.entries(RULES), ...WRITES.map((name) => [name, 'editor'] as const)];

describe('role checks', () => {
  const people = Promise.all(ROLES.map(async (role) => ({ role, client: await admin.addPerson(role) })));
  const program = admin.makeToken({ role: 'editor' });

  it('cover every operation of the administration', () => {
    const rules = service.app
      .get(RouteTable)
      .routes.filter(({ path }) => path.startsWith('/admin/api/'))
      .flatMap(({ path, methods }) =>
        Object.entries(methods).flatMap(([method, { operations }]) =>
          operations.map(({ access }) => [`${method} ${path}`, access]),
        ),
      );
    expect(Object.fromEntries(rules)).toEqual({
      ...Object.fromEntries(Object.entries(RULES).map(([name, role]) => [name, { session: role }])),
      'POST /admin/api/sessions/': { anyone: 'A log-in is how a user gets a session.' },
    });
  });

  it.each(NEEDED)('refuse %s below %s', async (operation, needed) => {
    const [method, path] = operation.split(' ');
    // An unknown id and no body: the service checks the role before it checks these.
    const target = path!.replaceAll(/\{\w+\}/g, '9007199254740991');
    if (RULES[operation]) {
      expect((await service.request(method!, target)).status).toBe(401);
      const { headers } = await program;
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

/** Of the paths of the administration, as they are declared: `GET /admin/api/accounts/`. */
const OPERATIONS = service.app
  .get(RouteTable)
  .routes.filter(({ path }) => path.startsWith('/admin/api/'))
  .flatMap(({ path, methods }) => Object.keys(methods).map((method) => [method, path] as const));

const LAST_LETTER = /[a-z](?=[^a-z]*$)/;

/** Other texts of a path, none of which is the path by the rules of this service. */
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => path.toUpperCase(),
  (path) => path.replace('/admin', '/Admin'),
  (path) => path.replace('/api', '/API'),
  (path) => path.replace(LAST_LETTER, (letter) => letter.toUpperCase()),
  (path) => path.replace('/a', '/%61'),
  (path) => path.replace('/api', '/%61pi'),
  (path) => path.replace('/api', '%2Fapi'),
  (path) => path.replace(LAST_LETTER, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => `/${path}`,
  (path) => path.replace('/api', '//api'),
  (path) => path.replace('/api/', '/api//'),
  (path) => `${path}/`,
  (path) => path.replace('/api', '/./api'),
  (path) => path.replace('/api', '/x/../api'),
  (path) => path.replace('/api', ';x/api'),
  (path) => path.replace('/api', '\\api'),
  (path) => path.replace('/api', '%00/api'),
  (path) => `http://localhost${path.replace('/admin', '/Admin')}`,
];

describe.each(OPERATIONS)('another spelling of a path: %s %s', (method, declared) => {
  const path = declared.replaceAll(/\{\w+\}/g, '1');

  it.each([
    ['with', admin.headers.Authorization],
    ['without', ''],
  ])('reaches no handler of data, %s a token', async (_, authorization) => {
    for (const spelling of SPELLINGS) {
      const target = spelling(path);
      const fields = authorization === '' ? [] : [`Authorization: ${authorization}`];
      const received = await rawExchange(
        service.port,
        headOf(`${method} ${target}`, 'Connection: close', ...fields),
      );
      const { line, headers } = parseRawResponse(received);
      const status = Number(line.split(' ')[1]);
      // The pages of the site are below /admin/: a GET of a path that its router does not know gets the page.
      const isPage = method === 'GET' && status === 200 && headers['content-type']!.startsWith('text/html');
      expect([target, isPage || [400, 401, 404, 405].includes(status)]).toEqual([target, true]);
    }
  });

  it('without its slash is a redirect, whoever asks', async () => {
    const { status, headers } = await service.request(method, path.slice(0, -1));
    expect([status, headers['location']]).toEqual([308, service.baseUrl + path]);
  });
});

describe('a change of the role', () => {
  it('takes effect at once for existing sessions, and revokes only tokens of a higher role', async () => {
    const person = await admin.addPerson('administrator');
    const [writing, reading] = [await person.makeToken(), await person.makeToken({ role: 'viewer' })];
    const statuses = async () => [
      (await person.get('accounts/')).status,
      (await person.send('POST', '/posts/', aPost())).status,
      (await person.get('changes/')).status,
      (await service.post(aPost(), writing.headers)).status,
    ];
    expect(await statuses()).toEqual([200, 201, 200, 201]);
    expect((await admin.change(person, { role: 'editor' })).json()).toMatchObject({ role: 'editor' });
    expect(await statuses()).toEqual([403, 201, 200, 201]);
    await admin.change(person, { role: 'viewer' });
    expect(await statuses()).toEqual([403, 403, 200, 401]);
    expect((await service.get('/posts/?limit=1', reading.headers)).status).toBe(200);
    expect((await service.post(aPost(), reading.headers)).problem).toEqual(roleMissing('editor', 'viewer'));
    const session = await person.get('sessions/current/');
    const { id, username } = person;
    expect(session.json<{ account: object }>().account).toEqual({ id, username, role: 'viewer' });
    await admin.change(person, { role: 'administrator' });
    expect(await statuses()).toEqual([200, 201, 200, 401]);
    for (const role of ['owner', null])
      expect((await admin.change(person, { role })).faultyPlaces).toEqual(['pointer /role']);
  });
});

describe('a token that is not valid', () => {
  it.each([
    ['OPTIONS', '/posts/', 401],
    ['GET', '/docs/', 401],
    ['POST', '/admin/api/sessions/', 401],
    // These do not wait for the database.
    ['GET', '/health/ready', 200],
    ['GET', '/metrics', 200],
    ['GET', '/nowhere/', 404],
  ])(
    'is refused even where none is required, but for health and unknown paths: %s %s',
    async (method, path, status) => {
      const response = await service.request(method, path, { headers: bearer(`pst_${'A'.repeat(43)}`) });
      const challenge = status === 401 ? 'Bearer realm="posts", error="invalid_token"' : undefined;
      expect([response.status, response.headers['www-authenticate']]).toEqual([status, challenge]);
      const valid = await service.request(method, path, { headers: admin.headers });
      expect(valid.status).toBe((await service.request(method, path)).status);
    },
  );

  it('is ignored where none is required when its form is not one of the service', async () => {
    expect((await service.post(aPost(), bearer('whatever'))).status).toBe(201);
    expect((await service.get('/admin/api/accounts/', bearer('whatever'))).status).toBe(401);
  });
});

describe('the form of a log-in, a token or an account', () => {
  it.each([
    ['sessions/', { username: 1, password: ['a'] }, ['/username', '/password']],
    ['sessions/', { admin: true }, ['/admin']],
    ['sessions/', { username: 'a'.repeat(101) }, ['/username']],
    ['sessions/', { password: 'b'.repeat(1_025) }, ['/password']],
    ['tokens/', { name: 'x', role: 'administrator' }, ['/role']],
    ['tokens/', { name: 'a\r\nb' }, ['/name']],
    ['tokens/', { name: 'x', expires_at: new Date().toISOString() }, ['/expires_at']],
    ['tokens/', { name: 'x', expires_at: 'tomorrow' }, ['/expires_at']],
    ['accounts/', { username: ' a' }, ['/username']],
    ['accounts/', { username: 'a'.repeat(101) }, ['/username']],
  ])('is refused: %s %j', async (path, json, pointers) => {
    const right = {
      'sessions/': { username: 'a', password: 'b' },
      'tokens/': { current_password: PASSWORD },
      'accounts/': { password: PASSWORD, current_password: PASSWORD },
    };
    const response = await admin.send('POST', path, { ...right[path as keyof typeof right], ...json });
    const places = pointers.map((pointer) => `pointer ${pointer}`);
    expect([response.status, response.faultyPlaces]).toEqual([400, places]);
  });

  it('of a log-in is JSON of at most 64 KiB', async () => {
    const form = { username: 'admin', password: PASSWORD };
    expect((await service.request('POST', '/admin/api/sessions/', { form })).status).toBe(415);
    const large = await tryLogIn(service, 'admin', 'x'.repeat(70_000));
    expect(large.problem).toMatchObject({ status: 413, detail: expect.stringContaining('65536') });
  });
});

describe('POST /admin/api/accounts/', () => {
  it('reports all faults in the form at once, then a wrong password, then a taken name', async () => {
    const post = async (json: unknown) => {
      const { errors = [] } = (await admin.send('POST', 'accounts/', json)).problem;
      return errors.map(({ code, pointer }) => `${pointer} ${code}`).join(', ');
    };
    const wrong = { password: 'short', current_password: 'wrong', role: 'x' };
    expect(await post({ username: 'ADMIN', ...wrong })).toBe('/role not_one_of, /password too_short');
    expect(await post({ username: 'admin' })).toBe('/password required, /current_password required');
    const right = { password: PASSWORD, current_password: PASSWORD };
    expect(await post({ username: 'ADMIN', ...right })).toBe('/username username_taken');
    const guessed = { ...right, current_password: 'wrong' };
    expect(await post({ username: 'new one', ...guessed })).toBe('/current_password wrong_password');
    expect(await post([])).toBe(' not_an_object');
  });

  it.each([['eleven char'], ['x'.repeat(1_025)], ['abcdabcdabcd'], ['SOME-PERSON some-person']])(
    'and a change refuse the password %j',
    async (password) => {
      const response = await admin.tryAddAccount({ username: 'some-person', password });
      expect(response.faultyPlaces).toEqual(['pointer /password']);
      const person = await admin.addAccount({ username: `some-person ${password.length}` });
      const own = password.replaceAll(/some-person/gi, person.username);
      expect((await admin.change(person, { password: own })).faultyPlaces).toEqual(['pointer /password']);
    },
  );
});

describe('the last administrator', () => {
  it('cannot be demoted or disabled, even when two administrators do it concurrently', async () => {
    const onlyFirst = `UPDATE accounts SET is_enabled = 1, role = CASE WHEN id = 1 THEN 'administrator' ELSE 'viewer' END`;
    const administrators = `SELECT id FROM accounts WHERE is_enabled = 1 AND role = 'administrator'`;
    const { service: own } = await startAdminService();
    for (const deed of [{ role: 'viewer' }, { is_enabled: false }]) {
      const first = await AdminClient.logIn(own);
      const other = await first.addPerson('administrator');
      const responses = await Promise.all([first.change(other, deed), other.change(first, deed)]);
      const left = await own.database.query(administrators);
      const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
      // The second request fails because its role or session is gone, before or within its transaction.
      expect([left.length, statuses[0], [401, 403].includes(statuses[1]!)]).toEqual([1, 200, true]);
      await own.database.execute(onlyFirst);
    }
    // Disabling the account has ended the session.
    const fresh = await AdminClient.logIn(own);
    for (const [json, pointer] of [
      [{ role: 'editor' }, '/role'],
      [{ is_enabled: false, role: 'viewer' }, '/is_enabled'],
    ] as const) {
      const errors = [{ code: 'last_administrator', pointer }];
      const { problem } = await fresh.change(fresh, json);
      expect(problem).toMatchObject({ code: 'last-administrator', status: 409, errors });
    }
    const same = { is_enabled: true, role: 'administrator' };
    expect((await fresh.send('PUT', 'accounts/1/', same)).status).toBe(200);
  });
});
