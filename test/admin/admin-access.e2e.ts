import { jest } from '@jest/globals';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { PasswordHasher } from '../../src/accounts/password-hasher.js';
import { SessionsService } from '../../src/accounts/sessions.service.js';
import type { AccountDto } from '../../src/admin/accounts.controller.js';
import type { ApiTokenDto } from '../../src/admin/api-tokens.controller.js';
import type { NewSessionDto } from '../../src/admin/sessions.controller.js';
import { Database } from '../../src/database/database.js';
import {
  AdminClient,
  bearer,
  type Headers,
  newAddress,
  PASSWORD,
  startAdminService,
  tryLogIn,
} from '../support/admin.js';
import { aPost, type PostJson } from '../support/posts.js';
import type { LogRecord } from '../support/service.js';
import { poll, until } from '../support/until.js';

const NEW_PASSWORD = 'staple battery horse';
const CHALLENGE = 'Bearer realm="posts"';
const [MINUTE, HOUR] = [60_000, 3_600_000];

const { service, admin } = await startAdminService();

const addAdministrator = (): Promise<AdminClient> => admin.addPerson('administrator');

const logInAs = ({ username }: { username: string }, password?: string): Promise<AdminClient> =>
  AdminClient.logIn(service, username, password);

const changeOwnPassword = (person: AdminClient, json: object = {}) =>
  person.send('PUT', 'accounts/current/', { password: NEW_PASSWORD, current_password: PASSWORD, ...json });

const setSession = ({ id }: AdminClient, column: string, at: number) =>
  service.database.execute(
    `UPDATE sessions SET ${column} = '${new Date(at).toISOString()}' WHERE account_id = ${id}`,
  );

const listTokens = async () => (await admin.get('tokens/')).json<ApiTokenDto[]>();
const findToken = async (id: number) => (await listTokens()).find((token) => token.id === id);

/** The statuses of requests that depend on the credentials. */
async function statusesOf({ headers }: { headers: Headers }): Promise<number[]> {
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
  describe('when the hash was made at another cost', () => {
    const storedHash = async ({ id }: { readonly id: number }): Promise<string> => {
      const query = `SELECT password_hash FROM accounts WHERE id = ${id}`;
      return (await service.database.query<{ password_hash: string }>(query))[0]!.password_hash;
    };
    const addWithOldHash = async () => {
      const account = await admin.addAccount();
      const hash = await new PasswordHasher({ passwordHashMemory: 2 * 1_024 * 1_024 }).hash(PASSWORD);
      await service.database.execute(
        `UPDATE accounts SET password_hash = '${hash}' WHERE id = ${account.id}`,
      );
      return { ...account, hash };
    };

    it('renews it', async () => {
      const { hash, ...account } = await addWithOldHash();
      await logInAs(account);
      await poll(async () => (await storedHash(account)) === hash).toBe(false);
      expect((await tryLogIn(service, account.username)).status).toBe(201);
    });

    it('is renewed while an administrator makes an API token, whose password was checked before', async () => {
      const person = await addAdministrator();
      const hash = await new PasswordHasher({ passwordHashMemory: 2 * 1_024 * 1_024 }).hash(PASSWORD);
      const hasher = service.app.get(PasswordHasher);
      const verify = hasher.verify.bind(hasher);
      jest.spyOn(hasher, 'verify').mockImplementationOnce(async (...attempt) => {
        const isRight = await verify(...attempt);
        await service.database.execute(
          `UPDATE accounts SET password_hash = '${hash}' WHERE id = ${person.id}`,
        );
        return isRight;
      });
      expect((await person.makeToken()).id).toBeGreaterThan(0);
    });

    it('has renewed it before the database is closed', async () => {
      const { hash, ...account } = await addWithOldHash();
      await logInAs(account);
      await service.app.get(SessionsService).onModuleDestroy();
      expect(await storedHash(account)).not.toBe(hash);
    });

    it('is renewed by another log-in while the password is checked', async () => {
      const account = await addWithOldHash();
      const hasher = service.app.get(PasswordHasher);
      const verify = hasher.verify.bind(hasher);
      jest.spyOn(hasher, 'verify').mockImplementationOnce(async (...attempt) => {
        const isRight = await verify(...attempt);
        await logInAs(account);
        await poll(async () => (await storedHash(account)) === account.hash).toBe(false);
        return isRight;
      });
      expect((await tryLogIn(service, account.username)).status).toBe(201);
    });

    it('succeeds although the hash cannot be renewed, and says so in the log', async () => {
      const { hash, ...account } = await addWithOldHash();
      const failure = new Error('no space left');
      jest.spyOn(service.app.get(AccountsService), 'replacePassword').mockRejectedValueOnce(failure);
      expect((await tryLogIn(service, account.username)).status).toBe(201);
      const isLogged = ({ msg, account_id: id }: LogRecord): boolean =>
        msg === 'The hash of a password could not be renewed.' && id === account.id;
      await until(() => service.log.some(isLogged));
      expect(await storedHash(account)).toBe(hash);
    });
  });

  it('starts a session for the right password, which ends after an hour unless it is used', async () => {
    const before = Date.now();
    const client = await AdminClient.logIn(service);
    const { session } = client;
    expect(session).toEqual({
      token: expect.stringMatching(/^psa_[\w-]{43}$/),
      expires_at: expect.any(String),
      account: { id: 1, username: 'admin', role: 'administrator' },
    });
    const lasts = Date.parse(session.expires_at) - before;
    expect(lasts).toBeGreaterThanOrEqual(HOUR);
    expect(lasts).toBeLessThanOrEqual(HOUR + (Date.now() - before));
    const current = await client.get('sessions/current/');
    expect(current.json()).toEqual({ expires_at: session.expires_at, account: session.account });
    expect(current.headers['cache-control']).toBe('no-store');
    expect(await statusesOf(client)).toEqual(LOGGED_IN);
    // Only a digest is stored.
    const stored = JSON.stringify(await service.database.query('SELECT * FROM sessions'));
    expect(stored).not.toContain(session.token.slice(4));
  });

  it('responds alike to an unknown name, a wrong password and a disabled account', async () => {
    const disabled = await admin.addAccount();
    await admin.change(disabled, { is_enabled: false });
    const tries = [
      ['nobody', PASSWORD],
      ['admin', `${PASSWORD} `],
      ['admin\0', PASSWORD],
      [disabled.username, PASSWORD],
    ];
    for (const [username, password] of tries) {
      const response = await tryLogIn(service, username, password);
      expect(response.headers['www-authenticate']).toBe(CHALLENGE);
      const detail = 'The user name or the password is wrong.';
      expect(response.problem).toMatchObject({ status: 401, code: 'unauthorized', detail });
    }
  });

  it('responds so, too, when the account is disabled while its password is checked', async () => {
    const account = await admin.addAccount();
    const hasher = service.app.get(PasswordHasher);
    const verify = hasher.verify.bind(hasher);
    jest.spyOn(hasher, 'verify').mockImplementationOnce(async (...attempt) => {
      const isRight = await verify(...attempt);
      expect((await admin.change(account, { is_enabled: false })).status).toBe(200);
      return isRight;
    });
    expect((await tryLogIn(service, account.username)).status).toBe(401);
  });

  it('ignores case in names, and Unicode normalization in names and passwords', async () => {
    const [username, password] = ['Zo\u00EB \u00E9\u00E8', 'staple b\u00E4ttery \uFB01'];
    await admin.addAccount({ username: username.normalize('NFD'), password });
    for (const spelling of [username.toUpperCase(), username.replace('Z', '\uFF3A')]) {
      const { session } = await AdminClient.logIn(service, spelling, password.normalize('NFKD'));
      expect(session.account.username).toBe(username);
    }
  });

  it('answers 429 after five failed attempts of an address for an account, even with the right password', async () => {
    const { username } = await admin.addAccount();
    const from = newAddress();
    const statuses = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await tryLogIn(service, username, 'wrong', from)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    const refused = await tryLogIn(service, username.toUpperCase(), PASSWORD, from);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.problem).toMatchObject({ status: 429, code: 'too-many-log-ins' });
    // Neither the account at another address nor another account at this address has to wait.
    await logInAs({ username });
    expect((await tryLogIn(service, 'admin', PASSWORD, from)).status).toBe(201);
  });
});

describe('a token', () => {
  it.each([
    ['with other characters', (token: string) => token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA')],
    ['for programs with the characters of a session', (token: string) => token.replace('psa_', 'pst_')],
  ])('%s is rejected everywhere', async (_, forge) => {
    const headers = bearer(forge(admin.session.token));
    expect(await statusesOf({ headers })).toEqual(REFUSED);
    const response = await service.post(aPost(), headers);
    expect(response.headers['www-authenticate']).toBe(`${CHALLENGE}, error="invalid_token"`);
    expect(response.problem.detail).toBe('The token is not known.');
  });

  it('of a session is extended by use, but not beyond twelve hours after the log-in, and expires', async () => {
    const person = await addAdministrator();
    const set = (column: string, at: number) => setSession(person, column, at);
    const read = `SELECT expires_at FROM sessions WHERE account_id = ${person.id}`;
    const expiry = async () =>
      Date.parse((await service.database.query<{ expires_at: string }>(read))[0]!.expires_at);
    const soon = Date.now() + MINUTE;
    await set('expires_at', soon);
    const before = Date.now();
    expect((await person.get('/posts/?limit=1')).status).toBe(200);
    await poll(async () => (await expiry()) >= before + HOUR).toBe(true);

    const begun = Date.now() - 11.5 * HOUR;
    await set('begun_at', begun);
    await set('expires_at', soon);
    const { expires_at } = (await person.get('sessions/current/')).json<NewSessionDto>();
    expect(Date.parse(expires_at)).toBe(begun + 12 * HOUR);
    await poll(expiry).toBe(begun + 12 * HOUR);

    await set('expires_at', Date.now());
    expect(await statusesOf(person)).toEqual(REFUSED);
  });

  it('of a session stays ended when it is used while the session ends', async () => {
    const person = await addAdministrator();
    await setSession(person, 'expires_at', Date.now() + MINUTE);
    await Promise.all([
      person.get('/posts/?limit=1'),
      person.send('DELETE', 'sessions/current/'),
      person.get('/posts/?limit=1'),
    ]);
    expect(await statusesOf(person)).toEqual(REFUSED);
  });

  it('separates the idempotency keys of accounts', async () => {
    const person = await addAdministrator();
    const again = await logInAs(person);
    const post = async ({ headers }: AdminClient) =>
      (await service.post(aPost(), { ...headers, 'Idempotency-Key': 'k' })).json<PostJson>().id;
    const first = await post(person);
    expect(await post(admin)).not.toBe(first);
    expect(await post(again)).toBe(first);
  });
});

describe('DELETE /admin/api/sessions/', () => {
  it('ends all sessions of the account, or only the current one, and no others', async () => {
    const person = await addAdministrator();
    const [second, third] = [await logInAs(person), await logInAs(person)];
    expect((await person.send('DELETE', 'sessions/current/')).status).toBe(204);
    expect(await statusesOf(person)).toEqual(REFUSED);
    expect(await statusesOf(second)).toEqual(LOGGED_IN);
    expect((await second.send('DELETE', 'sessions/')).status).toBe(204);
    for (const ended of [second, third]) expect(await statusesOf(ended)).toEqual(REFUSED);
    expect(await statusesOf(admin)).toEqual(LOGGED_IN);
    await logInAs(person);
  });
});

describe('/admin/api/accounts/', () => {
  it('lists accounts by name, disables one with its sessions and API tokens, and enables it without them', async () => {
    const person = await addAdministrator();
    const own = await person.makeToken();
    const other = await admin.makeToken();
    const change = (json: object) => admin.send('PUT', `accounts/${person.id}/`, json);
    const account = (await change({})).json<AccountDto>();
    expect(await statusesOf(own)).toEqual(A_PROGRAM);
    for (const is_enabled of [false, true]) {
      expect((await admin.change(person, { is_enabled })).json()).toEqual({ ...account, is_enabled });
      for (const ended of [person, own]) expect(await statusesOf(ended)).toEqual(REFUSED);
    }
    expect(await statusesOf(other)).toEqual(A_PROGRAM);
    expect(await findToken(own.id)).toBeUndefined();
    const list = (await admin.get('accounts/')).json<AccountDto[]>();
    expect(list).toContainEqual({ ...account, is_enabled: true });
    expect(Object.keys(account).join()).toBe('id,username,role,is_enabled,created_at,last_login_at');
    const names = list.map(({ username }) => username.toLowerCase());
    expect(names).toEqual(names.toSorted());
    expect((await admin.change({ id: 999 }, { is_enabled: true })).status).toBe(404);
    const refused = await change({ is_enabled: 1, username: 'b' });
    expect(refused.faultyPlaces).toEqual(['pointer /username', 'pointer /is_enabled']);
  });

  it('leaves no API token of an account that is disabled while it makes tokens', async () => {
    const person = await addAdministrator();
    const make = () => person.send('POST', 'tokens/', { name: 'late', current_password: PASSWORD });
    const disabling = () => admin.change(person, { is_enabled: false });
    const responses = await Promise.all([make(), make(), disabling(), make(), make(), make()]);
    for (const { status } of responses) expect([200, 201, 400, 401]).toContain(status);
    expect((await listTokens()).filter(({ name }) => name === 'late')).toEqual([]);
  });
});

describe('/admin/api/tokens/', () => {
  it('makes a token for a program, shows it only once, and revokes it at once', async () => {
    const { shown: token, ...program } = await admin.makeToken({ name: 'Zoe\u0308’s import' });
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
    expect(response.json<ApiTokenDto[]>()).toContainEqual(shown);
    expect(response.text).not.toContain(secret);
    expect(await statusesOf(program)).toEqual(A_PROGRAM);
    expect((await admin.send('DELETE', `tokens/${token.id}/`)).status).toBe(204);
    expect(await statusesOf(program)).toEqual(REFUSED);
    expect((await admin.send('DELETE', `tokens/${token.id}/`)).status).toBe(404);
    expect(await findToken(token.id)).toBeUndefined();
  });

  it('makes a token that expires, and lists it until it is revoked', async () => {
    const day = await admin.makeToken({ expires_at: '2126-11-20' });
    expect(day.expires_at).toBe('2126-11-20T00:00:00.000Z');
    const moment = await admin.makeToken({ expires_at: '2126-11-20T01:30:00.123456+02:00' });
    expect((await findToken(moment.id))!.expires_at).toBe('2126-11-19T23:30:00.123Z');
    const now = new Date().toISOString();
    await service.database.execute(`UPDATE api_tokens SET expires_at = '${now}' WHERE id = ${day.id}`);
    expect(await statusesOf(day)).toEqual(REFUSED);
    expect(await findToken(day.id)).toMatchObject({ expires_at: now, last_used_at: null });
    expect(await statusesOf(moment)).toEqual(A_PROGRAM);
  });

  it('shows when a token was used last', async () => {
    const startedAt = Date.now();
    const { id, headers } = await admin.makeToken();
    await service.get('/posts/', headers);
    // The service stores the time in the background.
    await until(async () => (await findToken(id))!.last_used_at !== null);
    const used = (await findToken(id))!.last_used_at!;
    expect(Date.parse(used)).toBeGreaterThanOrEqual(startedAt);
    await service.get('/posts/', headers);
    await service.post(aPost());
    expect((await findToken(id))!.last_used_at).toBe(used);
  });
});

describe('a stolen session', () => {
  it('makes no API token without the current password', async () => {
    const before = await listTokens();
    for (const [current_password, code] of [
      [undefined, 'required'],
      [NEW_PASSWORD, 'wrong_password'],
    ]) {
      const { problem } = await admin.send('POST', 'tokens/', { name: 'stolen', current_password });
      expect(problem).toMatchObject({ status: 400, errors: [{ code, pointer: '/current_password' }] });
    }
    expect(await listTokens()).toEqual(before);
  });

  it('makes no administrator and sets no password without the current password', async () => {
    const { id, username } = await admin.addAccount({ role: 'viewer' });
    const change = async (json: object) => {
      const response = await admin.send('PUT', `accounts/${id}/`, json);
      return [response.status, ...response.faultyPlaces];
    };
    const refused = [400, 'pointer /current_password'];
    expect(await change({ role: 'editor' })).toEqual([200]);
    expect(await change({ password: NEW_PASSWORD })).toEqual(refused);
    expect(await change({ role: 'administrator' })).toEqual(refused);
    expect(await change({ role: 'administrator', current_password: 'a wrong password' })).toEqual(refused);
    expect(await change({ role: 'administrator', current_password: PASSWORD })).toEqual([200]);
    expect(await change({ role: 'administrator' })).toEqual([200]);
    await logInAs({ username });
    expect(await change({ is_enabled: false })).toEqual([200]);
    expect(await change({ is_enabled: true })).toEqual(refused);
    expect(await change({ is_enabled: true, role: 'editor' })).toEqual([200]);
    expect(await change({ is_enabled: false })).toEqual([200]);
    const both = { is_enabled: true, role: 'administrator' };
    expect(await change(both)).toEqual(refused);
    expect(await change({ ...both, current_password: PASSWORD })).toEqual([200]);
  });

  it('is limited in guesses at the current password, which the change log does not count as log-ins', async () => {
    const { username } = await admin.addAccount();
    const from = newAddress();
    const { token } = (await tryLogIn(service, username, PASSWORD, from)).json<NewSessionDto>();
    const guess = (current_password: string) =>
      service.request('PUT', '/admin/api/accounts/current/', {
        json: { password: NEW_PASSWORD, current_password },
        headers: { ...bearer(token), ...from },
      });
    for (let n = 0; n < 5; n += 1) {
      expect((await guess(`guess ${n}`)).faultyPlaces).toEqual(['pointer /current_password']);
    }
    expect((await guess(PASSWORD)).status).toBe(429);
    const failed = await admin.get('changes/?action=login_failed&limit=1000');
    expect(failed.json<{ subject: string }[]>().map(({ subject }) => subject)).not.toContain(username);
  });
});

describe('a password change', () => {
  it('ends the sessions, and revokes the account’s API tokens when asked to', async () => {
    const person = await addAdministrator();
    const others = await logInAs(person);
    const program = await person.makeToken({ name: 'of a person' });
    const raised = await changeOwnPassword(person, { role: 'administrator', current_password: undefined });
    expect(raised.faultyPlaces).toEqual(['pointer /role', 'pointer /current_password']);
    expect((await changeOwnPassword(person)).status).toBe(200);
    for (const ended of [person, others]) expect(await statusesOf(ended)).toEqual(REFUSED);
    expect((await tryLogIn(service, person.username)).status).toBe(401);
    const second = await logInAs(person, NEW_PASSWORD);
    expect(await statusesOf(program)).toEqual(A_PROGRAM);

    const back = { password: PASSWORD, current_password: NEW_PASSWORD, revoke_tokens: true };
    expect((await changeOwnPassword(second, back)).status).toBe(200);
    expect(await statusesOf(program)).toEqual(REFUSED);
    const log = (await admin.get('changes/?limit=10')).json<Record<string, unknown>[]>();
    expect(log).toContainEqual(expect.objectContaining({ action: 'token_revoked', subject: 'of a person' }));

    const third = await logInAs(person);
    const other = await third.makeToken();
    expect((await admin.change(person, { password: NEW_PASSWORD, revoke_tokens: true })).status).toBe(200);
    for (const ended of [third, other]) expect(await statusesOf(ended)).toEqual(REFUSED);
  });

  it('leaves no token that the old password confirmed at the same time', async () => {
    const person = await addAdministrator();
    const thief = await logInAs(person);
    const make = () => thief.send('POST', 'tokens/', { name: 'beside', current_password: PASSWORD });
    const changing = changeOwnPassword(person, { revoke_tokens: true });
    // With one more, the log-in limit could refuse the change.
    await Promise.all([make(), changing, make(), make()]);
    expect((await changing).status).toBe(200);
    expect((await listTokens()).filter(({ name }) => name === 'beside')).toEqual([]);
  });
});

describe('two accounts with one name', () => {
  it('that are added at the same time are one account and a 409 at its field', async () => {
    const add = (username: string) =>
      admin.send('POST', 'accounts/', { username, password: NEW_PASSWORD, current_password: PASSWORD });
    const [made, refused] = (await Promise.all([add('Twin'), add('tWIN')])).toSorted(
      (a, b) => a.status - b.status,
    );
    expect([made!.status, refused!.status, refused!.faultyPlaces]).toEqual([201, 409, ['pointer /username']]);
  });
});

describe('the log', () => {
  it('has no token, no password, and no unknown user name of a failed log-in', async () => {
    const program = await admin.makeToken();
    await service.get('/posts/', program.headers);
    await tryLogIn(service, 'my-secret-by-mistake', 'my-secret-by-mistake');
    const everything = JSON.stringify(service.log);
    expect(everything).toContain('Logged in.');
    expect(everything).toContain('Login refused.');
    for (const secret of [PASSWORD, admin.session.token, program.token, 'my-secret', 'scrypt']) {
      expect(everything).not.toContain(secret);
    }
  });

  it('has one line a minute about tokens whose use cannot be recorded; they are accepted', async () => {
    const { service: full, admin: person } = await startAdminService();
    const soon = new Date(Date.now() + MINUTE).toISOString();
    await full.database.execute(`UPDATE sessions SET expires_at = '${soon}'`);
    jest.spyOn(full.app.get(Database), 'write').mockRejectedValue(new Error('disk full'));
    for (let n = 0; n < 3; n += 1) expect((await person.get('/posts/?limit=1')).status).toBe(200);
    jest.restoreAllMocks();
    expect(JSON.stringify(full.log).split('The use of a token could not be recorded.')).toHaveLength(2);
  });
});
