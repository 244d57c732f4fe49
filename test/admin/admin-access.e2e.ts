import { jest } from '@jest/globals';
import { Session } from '../../src/accounts/session.entity.js';
import { Database } from '../../src/database/database.js';
import { AuditService } from '../../src/history/audit.service.js';
import {
  type AccountJson,
  AdminClient,
  bearer,
  newAddress,
  PASSWORD,
  type SessionJson,
  startAdminService,
  type TokenJson,
  tryLogIn as tryLogInTo,
} from '../support/admin.js';
import type { RequestOptions } from '../support/http-client.js';
import { aPost, type PostJson } from '../support/posts.js';
import { poll } from '../support/until.js';

const OTHER_PASSWORD = 'staple battery horse';
const CHALLENGE = 'Bearer realm="posts"';

const { service, admin, asAdmin } = await startAdminService();

const tryLogIn = (username: unknown, password: unknown, headers: RequestOptions['headers'] = newAddress()) =>
  tryLogInTo(service, username, password, headers);

const logIn = async (username = 'admin', password = PASSWORD): Promise<SessionJson> =>
  (await AdminClient.logIn(service, username, password)).session;

/** Adds an administrator with the other password. */
const addAccount = (username?: string): Promise<AccountJson> =>
  admin.addAccount({ ...(username && { username }), password: OTHER_PASSWORD, role: 'administrator' });

/** Adds an administrator with the other password and logs in. */
const addPerson = async (): Promise<AdminClient> =>
  AdminClient.logIn(service, (await addAccount()).username, OTHER_PASSWORD);

/** Without a current password, unless the test gives one. */
const change = ({ id }: { id: number }, json: object) => admin.send('PUT', `accounts/${id}/`, json);

const makeToken = async (json: object = {}, client = admin): Promise<TokenJson> => {
  const made = await client.makeToken({ name: 'nightly import', ...json });
  return made.shown;
};

const setSession = ({ id }: { id: number }, column: string, at: number) =>
  service.database.execute(
    `UPDATE sessions SET ${column} = '${new Date(at).toISOString()}' WHERE account_id = ${id}`,
  );

const listTokens = async () => (await admin.get('tokens/')).json<TokenJson[]>();

/** The statuses of requests that depend on the credentials. */
async function statusesOf(headers: RequestOptions['headers']): Promise<number[]> {
  const { path } = await service.create();
  const responses = [
    await service.get('/admin/api/sessions/current/', headers),
    await service.get('/posts/?limit=1', headers),
    await service.request('HEAD', path, { headers }),
    await service.post(aPost(), headers),
    await service.delete(path, headers),
  ];
  return responses.map(({ status }) => status);
}
const LOGGED_IN = [200, 200, 200, 201, 204];
const A_PROGRAM = [401, 200, 200, 201, 204];
const REFUSED = [401, 401, 401, 401, 401];

describe('POST /admin/api/sessions/', () => {
  it('starts a session for the right password, which ends after an hour unless it is used', async () => {
    const before = Date.now();
    const session = await logIn();
    expect(session).toEqual({
      token: expect.stringMatching(/^psa_[\w-]{43}$/),
      expires_at: expect.any(String),
      account: { id: 1, username: 'admin', role: 'administrator' },
    });
    const lasts = Date.parse(session.expires_at) - before;
    expect(lasts).toBeGreaterThanOrEqual(3_600_000);
    expect(lasts).toBeLessThanOrEqual(3_600_000 + (Date.now() - before));
    const current = await service.get('/admin/api/sessions/current/', bearer(session.token));
    expect(current.json()).toEqual({ expires_at: session.expires_at, account: session.account });
    expect(current.headers['cache-control']).toBe('no-store');
    expect(await statusesOf(bearer(session.token))).toEqual(LOGGED_IN);
  });

  it('responds alike to an unknown name, a wrong password and a disabled account', async () => {
    const disabled = await addAccount();
    await change(disabled, { is_enabled: false });
    const tries = [
      ['nobody', PASSWORD],
      ['admin', PASSWORD.toUpperCase()],
      ['admin', `${PASSWORD} `],
      ['', ''],
      ['admin\0', PASSWORD],
      ["' OR 1=1 --", PASSWORD],
      [disabled.username, OTHER_PASSWORD],
    ];
    for (const [username, password] of tries) {
      const response = await tryLogIn(username, password);
      expect(response.headers['www-authenticate']).toBe(CHALLENGE);
      const detail = 'The user name or the password is wrong.';
      expect(response.problem).toMatchObject({ status: 401, code: 'unauthorized', detail });
    }
  });

  it('ignores case in names, and Unicode normalization in names and passwords', async () => {
    const composed = 'Zo\u00EB \u00E9\u00E8';
    await addAccount(composed.normalize('NFD'));
    const session = await logIn(composed.toUpperCase(), OTHER_PASSWORD.normalize('NFD'));
    expect(session.account.username).toBe(composed);
  });

  it('answers 429 after five failed attempts of an address for an account, even with the right password', async () => {
    const { username } = await addAccount();
    const from = newAddress();
    const statuses = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await tryLogIn(username, 'wrong', from)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    const refused = await tryLogIn(username.toUpperCase(), OTHER_PASSWORD, from);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.problem).toMatchObject({ status: 429, code: 'too-many-log-ins' });
    // Neither the account at another address nor another account at this address has to wait.
    await logIn(username, OTHER_PASSWORD);
    expect((await tryLogIn('admin', PASSWORD, from)).status).toBe(201);
  });
});

describe('a token', () => {
  it.each<[string, (token: string) => string]>([
    ['with other characters', (token) => token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA')],
    ['for programs with the characters of a session', (token) => token.replace('psa_', 'pst_')],
    ['that is truncated', (token) => token.slice(0, -4)],
    ['with extra characters at the end', (token) => `${token}AAAA`],
    ['that is only the prefix psa_', () => 'psa_'],
    ['that is only the prefix pst_', () => 'pst_'],
  ])('%s is rejected everywhere', async (_, forge) => {
    const forged = bearer(forge(admin.session.token));
    expect(forged).not.toEqual(asAdmin);
    expect(await statusesOf(forged)).toEqual(REFUSED);
    const response = await service.post(aPost(), forged);
    expect(response.headers['www-authenticate']).toBe(`${CHALLENGE}, error="invalid_token"`);
    expect(response.problem.detail).toBe('The token is not known.');
  });

  it('of an expired session is invalid', async () => {
    const person = await addPerson();
    await setSession(person, 'expires_at', Date.now());
    expect(await statusesOf(person.headers)).toEqual(REFUSED);
  });

  it('of a session is extended by use, but not beyond twelve hours after the log-in', async () => {
    const person = await addPerson();
    const set = (column: string, at: number) => setSession(person, column, at);
    const expiry = async () => {
      const { manager } = service.app.get(Database).reader;
      const { expiresAt } = await manager.findOneByOrFail(Session, { accountId: person.id });
      return Date.parse(expiresAt);
    };
    const [MINUTE, HOUR] = [60_000, 3_600_000];
    const soon = Date.now() + MINUTE;
    await set('expires_at', soon);
    const before = Date.now();
    expect((await service.get('/posts/?limit=1', person.headers)).status).toBe(200);
    await poll(async () => (await expiry()) >= before + HOUR).toBe(true);

    const begun = Date.now() - 11.5 * HOUR;
    await set('begun_at', begun);
    await set('expires_at', soon);
    const current = await service.get('/admin/api/sessions/current/', person.headers);
    const { expires_at } = current.json<SessionJson>();
    expect(Date.parse(expires_at)).toBe(begun + 12 * HOUR);
    await poll(expiry).toBe(begun + 12 * HOUR);

    await set('begun_at', Date.now() - 13 * HOUR);
    await set('expires_at', soon);
    expect(await statusesOf(person.headers)).toEqual(LOGGED_IN);
    expect(await expiry()).toBe(soon);
  });

  it('of a session stays ended when it is used while the session ends', async () => {
    const person = await addPerson();
    await setSession(person, 'expires_at', Date.now() + 60_000);
    await Promise.all([
      service.get('/posts/?limit=1', person.headers),
      service.delete('/admin/api/sessions/current/', person.headers),
      service.get('/posts/?limit=1', person.headers),
    ]);
    expect(await statusesOf(person.headers)).toEqual(REFUSED);
  });

  it('separates the idempotency keys of accounts', async () => {
    const person = await addPerson();
    const again = await AdminClient.logIn(service, person.username, OTHER_PASSWORD);
    const post = async (headers: RequestOptions['headers']) =>
      (await service.post(aPost(), { ...headers, 'Idempotency-Key': 'k' })).json<PostJson>().id;
    const first = await post(person.headers);
    expect(await post(asAdmin)).not.toBe(first);
    expect(await post(again.headers)).toBe(first);
  });
});

describe('DELETE /admin/api/sessions/current/', () => {
  it('ends only this session, at once', async () => {
    const [session, other] = [await logIn(), await logIn()];
    expect((await service.delete('/admin/api/sessions/current/', bearer(session.token))).status).toBe(204);
    expect(await statusesOf(bearer(session.token))).toEqual(REFUSED);
    expect(await statusesOf(bearer(other.token))).toEqual(LOGGED_IN);
  });
});

describe('DELETE /admin/api/sessions/', () => {
  it('ends all sessions of the account, and no others', async () => {
    const person = await addPerson();
    const own = [person, await AdminClient.logIn(service, person.username, OTHER_PASSWORD)];
    expect((await person.send('DELETE', 'sessions/')).status).toBe(204);
    for (const { headers } of own) expect(await statusesOf(headers)).toEqual(REFUSED);
    expect(await statusesOf(asAdmin)).toEqual(LOGGED_IN);
    await logIn(person.username, OTHER_PASSWORD);
  });
});

describe('/admin/api/accounts/', () => {
  it('lists the accounts by name, without password hashes', async () => {
    const person = await addAccount('aaa');
    const response = await admin.get('accounts/');
    expect(response.json<AccountJson[]>()[0]).toEqual(person);
    expect(Object.keys(person).join()).toBe('id,username,role,is_enabled,created_at,last_login_at');
    expect(response.text).not.toContain('scrypt');
  });

  it('refuses a name that is taken, ignoring case, even in concurrent requests', async () => {
    const response = await admin.tryAddAccount({ username: 'ADMIN', password: OTHER_PASSWORD });
    expect(response.problem).toMatchObject({ code: 'username-taken', errors: [{ pointer: '/username' }] });
    const made = { username: 'at once', password: OTHER_PASSWORD };
    const both = await Promise.all([made, made].map((json) => admin.tryAddAccount(json)));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });

  it('enables and disables an account, and refuses to change its name', async () => {
    const person = await addAccount();
    expect((await change(person, {})).json()).toEqual(person);
    expect((await change(person, { is_enabled: false })).json()).toEqual({ ...person, is_enabled: false });
    expect((await change(person, { is_enabled: true })).json()).toEqual(person);
    expect((await change({ id: 999 }, { is_enabled: true })).status).toBe(404);
    const refused = await change(person, { is_enabled: 1, username: 'b' });
    expect(refused.faultyPlaces).toEqual(['pointer /username', 'pointer /is_enabled']);
  });

  it('ends the sessions and revokes the API tokens of a disabled account, and of no other', async () => {
    const { username } = await addAccount();
    const person = await AdminClient.logIn(service, username.toUpperCase(), OTHER_PASSWORD);
    const own = await makeToken({}, person);
    const other = await makeToken();
    await admin.change(person, { password: PASSWORD });
    expect(await statusesOf(bearer(own.token))).toEqual(A_PROGRAM);
    const { headers } = await AdminClient.logIn(service, username);
    for (const is_enabled of [false, true]) {
      await change(person, { is_enabled });
      for (const ended of [headers, bearer(own.token)]) expect(await statusesOf(ended)).toEqual(REFUSED);
    }
    expect(await statusesOf(bearer(other.token))).toEqual(A_PROGRAM);
    expect((await listTokens()).map(({ id }) => id)).not.toContain(own.id);
  });

  it('leaves no API token of an account that is disabled while it makes tokens', async () => {
    const person = await addPerson();
    const make = () => person.send('POST', 'tokens/', { name: 'late', current_password: OTHER_PASSWORD });
    const disabling = () => change(person, { is_enabled: false });
    const responses = await Promise.all([make(), make(), disabling(), make(), make(), make()]);
    for (const { status } of responses) expect([200, 201, 400, 401]).toContain(status);
    expect((await listTokens()).filter(({ name }) => name === 'late')).toEqual([]);
  });

  it('ends the sessions when the password changes, and accepts only the new password', async () => {
    const person = await addPerson();
    expect((await admin.change(person, { password: PASSWORD })).status).toBe(200);
    expect(await statusesOf(person.headers)).toEqual(REFUSED);
    expect((await tryLogIn(person.username, OTHER_PASSWORD)).status).toBe(401);
    await logIn(person.username, PASSWORD);
  });
});

describe('/admin/api/tokens/', () => {
  it('makes a token for a program, and shows it only once', async () => {
    const token = await makeToken({ name: 'Zoe\u0308’s import' });
    expect(token).toEqual({
      id: expect.any(Number),
      name: 'Zo\u00EB’s import',
      hint: token.token.slice(-4),
      role: 'editor',
      created_at: expect.any(String),
      created_by: 'admin',
      expires_at: null,
      last_used_at: null,
      token: expect.stringMatching(/^pst_[\w-]{43}$/),
    });
    const { token: secret, ...shown } = token;
    const response = await admin.get('tokens/');
    expect(response.json<TokenJson[]>()).toContainEqual(shown);
    expect(response.text).not.toContain(secret);
  });

  it.each([
    ['2126-11-20', '2126-11-20T00:00:00.000Z'],
    ['2126-11-20T01:30:00.123456+02:00', '2126-11-19T23:30:00.123Z'],
  ])('makes a token that expires at %s', async (expiry, expiresAt) => {
    const { id, token, expires_at } = await makeToken({ expires_at: expiry });
    expect(expires_at).toBe(expiresAt);
    expect((await listTokens()).find((each) => each.id === id)!.expires_at).toBe(expiresAt);
    expect(await statusesOf(bearer(token))).toEqual(A_PROGRAM);
  });

  it('refuses an expired token, and lists it until it is revoked', async () => {
    const { id, token } = await makeToken({ expires_at: '2126-11-20' });
    const now = new Date().toISOString();
    await service.database.execute(`UPDATE api_tokens SET expires_at = '${now}' WHERE id = ${id}`);
    expect(await statusesOf(bearer(token))).toEqual(REFUSED);
    const listed = (await listTokens()).find((each) => each.id === id)!;
    expect(listed).toMatchObject({ expires_at: now, last_used_at: null });
    expect((await admin.send('DELETE', `tokens/${id}/`)).status).toBe(204);
  });

  it('shows when a token was used last', async () => {
    const startedAt = Date.now();
    const { id, token } = await makeToken();
    await service.get('/posts/', bearer(token));
    // Poll, because the service stores the time in the background.
    let used: string | null | undefined;
    while (!used) used = (await listTokens()).find((each) => each.id === id)!.last_used_at;
    expect(Date.parse(used)).toBeGreaterThanOrEqual(startedAt);
    await service.get('/posts/', bearer(token));
    await service.post(aPost());
    expect((await listTokens()).find((each) => each.id === id)!.last_used_at).toBe(used);
  });

  it('revokes a token at once', async () => {
    const { id, token } = await makeToken();
    expect((await admin.send('DELETE', `tokens/${id}/`)).status).toBe(204);
    expect(await statusesOf(bearer(token))).toEqual(REFUSED);
    expect((await admin.send('DELETE', `tokens/${id}/`)).status).toBe(404);
    expect((await listTokens()).map((each) => each.id)).not.toContain(id);
  });
});

describe('a stolen session', () => {
  it('makes no API token without the current password', async () => {
    const before = await listTokens();
    const tries: [object, string][] = [
      [{}, 'required'],
      [{ expires_at: '2126-11-20' }, 'required'],
      [{ current_password: OTHER_PASSWORD }, 'wrong_password'],
    ];
    for (const [json, code] of tries) {
      const response = await admin.send('POST', 'tokens/', { name: 'stolen', ...json });
      expect(response.problem).toMatchObject({
        status: 400,
        errors: [{ code, pointer: '/current_password' }],
      });
    }
    expect(await listTokens()).toEqual(before);
  });

  it('makes no administrator without the current password', async () => {
    const { id } = await admin.addAccount();
    for (const role of ['administrator', 'editor']) {
      await change({ id }, { role: 'viewer' });
      const response = await change({ id }, { role });
      expect([role, response.status]).toEqual([role, role === 'editor' ? 200 : 400]);
    }
    const tries: [object, number][] = [
      [{ role: 'administrator', current_password: 'a wrong password' }, 400],
      [{ role: 'administrator', current_password: PASSWORD }, 200],
      [{ role: 'administrator' }, 200],
    ];
    for (const [json, status] of tries) expect((await change({ id }, json)).status).toBe(status);
  });

  it('is limited in guesses at the current password, which the change log does not count as log-ins', async () => {
    const person = await addAccount();
    const from = newAddress();
    const { token } = (await tryLogIn(person.username, OTHER_PASSWORD, from)).json<SessionJson>();
    const guess = async (password: string) =>
      await service.request('PUT', '/admin/api/accounts/current/', {
        json: { password: 'a third good password', current_password: password },
        headers: { ...bearer(token), ...from },
      });
    for (let n = 0; n < 5; n += 1) {
      expect((await guess(`guess ${n}`)).faultyPlaces).toEqual(['pointer /current_password']);
    }
    expect((await guess(OTHER_PASSWORD)).status).toBe(429);
    const failed = await admin.get('changes/?action=login_failed&limit=1000');
    expect(failed.json<{ subject: string }[]>().map(({ subject }) => subject)).not.toContain(person.username);
  });
});

describe('a password change', () => {
  it('revokes the account’s API tokens when asked to', async () => {
    const person = await addAccount();
    const logInAs = (password: string) => AdminClient.logIn(service, person.username, password);
    const first = await logInAs(OTHER_PASSWORD);
    const { token: secret, ...shown } = await makeToken({ name: 'of a person' }, first);
    const change1 = { password: PASSWORD, current_password: OTHER_PASSWORD };
    expect((await first.send('PUT', 'accounts/current/', change1)).status).toBe(200);
    const second = await logInAs(PASSWORD);
    expect((await second.get('accounts/current/tokens/')).json()).toEqual([shown]);
    expect(await statusesOf(bearer(secret))).toEqual(A_PROGRAM);

    const change2 = { password: OTHER_PASSWORD, current_password: PASSWORD, revoke_tokens: true };
    expect((await second.send('PUT', 'accounts/current/', change2)).status).toBe(200);
    expect(await statusesOf(bearer(secret))).toEqual(REFUSED);
    const log = (await admin.get('changes/?limit=10')).json<Record<string, unknown>[]>();
    expect(log).toContainEqual(expect.objectContaining({ action: 'token_revoked', subject: 'of a person' }));

    const other = await makeToken({}, await logInAs(OTHER_PASSWORD));
    const reset = { password: PASSWORD, revoke_tokens: true };
    expect((await admin.change(person, reset)).status).toBe(200);
    expect(await statusesOf(bearer(other.token))).toEqual(REFUSED);
  });

  it('leaves no token that the old password confirmed at the same time', async () => {
    const person = await addPerson();
    const thief = await AdminClient.logIn(service, person.username, OTHER_PASSWORD);
    const make = () => thief.send('POST', 'tokens/', { name: 'beside', current_password: OTHER_PASSWORD });
    const json = { password: PASSWORD, current_password: OTHER_PASSWORD, revoke_tokens: true };
    const changing = person.send('PUT', 'accounts/current/', json);
    // With one more, the log-in limit could refuse the change.
    await Promise.all([make(), changing, make(), make()]);
    expect((await changing).status).toBe(200);
    expect((await listTokens()).filter(({ name }) => name === 'beside')).toEqual([]);
  });
});

describe('the log', () => {
  it('has no token, no password, and no unknown user name of a failed log-in', async () => {
    const { token } = await logIn();
    const program = await makeToken();
    await service.get('/posts/', bearer(program.token));
    await tryLogIn('my-secret-by-mistake', 'my-secret-by-mistake');
    const everything = JSON.stringify(service.log);
    expect(everything).toContain('Logged in.');
    expect(everything).toContain('Login refused.');
    for (const secret of [PASSWORD, OTHER_PASSWORD, token, program.token, 'my-secret', 'scrypt']) {
      expect(everything).not.toContain(secret);
    }
  });

  // The last test of the file: no use is recorded for a minute after it.
  it('has one line a minute about tokens whose use cannot be recorded; they are accepted', async () => {
    const person = await addPerson();
    await setSession(person, 'expires_at', Date.now() + 60_000);
    // The refused log-ins of the tests before are counted in the background, by writes too.
    await service.app.get(AuditService, { strict: false }).onModuleDestroy();
    const write = jest.spyOn(service.app.get(Database), 'write').mockRejectedValue(new Error('disk full'));
    for (let n = 0; n < 3; n += 1)
      expect((await service.get('/posts/?limit=1', person.headers)).status).toBe(200);
    expect(write).toHaveBeenCalledTimes(1);
    write.mockRestore();
    expect(JSON.stringify(service.log).split('The use of a token could not be recorded.')).toHaveLength(2);
  });
});
