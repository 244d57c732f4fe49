import { startInstances } from '../support/instances.js';
import { aPost } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';

const PASSWORD = 'correct horse battery';
const PREFIX = 'The first account of the administration site was created.';

const { database, instances } = await startInstances();
const [one, other] = instances;

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

async function logIn(
  service: Service,
  username: string,
  password: string,
): Promise<{ Authorization: string }> {
  const response = await service.request('POST', '/admin/api/sessions/', { json: { username, password } });
  expect(response.status).toBe(201);
  return bearer(response.json<{ token: string }>().token);
}

async function statusesOf(headers: { Authorization: string }): Promise<number[]> {
  const responses = await Promise.all(
    instances.flatMap((instance) => [
      instance.get('/admin/api/sessions/current/', headers),
      instance.post(aPost(), headers),
    ]),
  );
  return responses.map(({ status }) => status);
}
const LOGGED_IN = instances.flatMap(() => [200, 201]);
const A_PROGRAM = instances.flatMap(() => [401, 201]);
const REFUSED = instances.flatMap(() => [401, 401]);

describe('several instances on one database', () => {
  it('create one account when they start together, and log its password only once', async () => {
    // A log-in waits until the account exists.
    for (const instance of instances) {
      const json = { username: 'nobody', password: 'nothing' };
      expect((await instance.request('POST', '/admin/api/sessions/', { json })).status).toBe(401);
    }
    const shown = instances.flatMap(({ log }) => log.filter(({ msg }) => msg.startsWith(PREFIX)));
    expect(shown).toEqual([
      expect.objectContaining({
        level: 'warn',
        username: 'admin',
        password: expect.stringMatching(/^(?:[a-z2-9]{4}-){4}[a-z2-9]{4}$/),
      }),
    ]);
    expect(await database.query('SELECT username FROM accounts')).toEqual([{ username: 'admin' }]);
    await logIn(other, 'admin', shown[0]!['password'] as string);

    const later = await startService({ DATABASE_URL: database.url });
    expect(later.log.filter(({ msg }) => msg.startsWith(PREFIX))).toEqual([]);
    expect(await database.query('SELECT count(*) AS count FROM accounts')).toEqual([{ count: '1' }]);
  });

  it('set a changed ADMIN_PASSWORD at the start, and end the sessions of the account', async () => {
    const before = await database.query("SELECT password_hash FROM accounts WHERE username = 'admin'");
    const settings = { DATABASE_URL: database.url, ADMIN_PASSWORD: PASSWORD, ADMIN_USERNAME: 'ADMIN' };
    await startService(settings);
    const headers = await logIn(one, 'admin', PASSWORD);
    const after = await database.query("SELECT password_hash FROM accounts WHERE username = 'admin'");
    expect(after).not.toEqual(before);
    // A start with the current password changes nothing.
    await startService(settings);
    expect(await database.query('SELECT password_hash FROM accounts')).toEqual(after);
    expect(await statusesOf(headers)).toEqual(LOGGED_IN);
    await startService({ ...settings, ADMIN_PASSWORD: 'another horse battery' });
    expect(await statusesOf(headers)).toEqual(REFUSED);
    await startService(settings);
  });
});

describe('several instances with a known administrator password', () => {
  beforeAll(() => startService({ DATABASE_URL: database.url, ADMIN_PASSWORD: PASSWORD }));

  it('accept the sessions of other instances until these are ended', async () => {
    const headers = await logIn(one, 'admin', PASSWORD);
    expect(await statusesOf(headers)).toEqual(LOGGED_IN);
    expect((await other.delete('/admin/api/sessions/current/', headers)).status).toBe(204);
    expect(await statusesOf(headers)).toEqual(REFUSED);
  });

  it('end the sessions of an account that another instance disables', async () => {
    const admin = await logIn(one, 'admin', PASSWORD);
    const json = { username: 'Zoë', password: PASSWORD, role: 'administrator', current_password: PASSWORD };
    const made = await one.request('POST', '/admin/api/accounts/', { json, headers: admin });
    const { id } = made.json<{ id: number }>();
    const headers = await logIn(other, 'zoë', PASSWORD);
    expect(await statusesOf(headers)).toEqual(LOGGED_IN);
    const change = { json: { is_enabled: false }, headers: admin };
    expect((await one.request('PUT', `/admin/api/accounts/${id}/`, change)).status).toBe(200);
    expect(await statusesOf(headers)).toEqual(REFUSED);
  });

  it('accept the API tokens of other instances until these are revoked', async () => {
    const admin = await logIn(one, 'admin', PASSWORD);
    const made = await one.request('POST', '/admin/api/tokens/', {
      json: { name: 'import' },
      headers: admin,
    });
    const { id, token } = made.json<{ id: number; token: string }>();
    expect(await statusesOf(bearer(token))).toEqual(A_PROGRAM);
    expect((await other.delete(`/admin/api/tokens/${id}/`, admin)).status).toBe(204);
    expect(await statusesOf(bearer(token))).toEqual(REFUSED);
  });

  it('leave no session for an account that is disabled during its log-in', async () => {
    const admin = await logIn(one, 'admin', PASSWORD);
    for (let round = 0; round < 3; round += 1) {
      const json = { username: `round ${round}`, password: PASSWORD };
      const made = await one.request('POST', '/admin/api/accounts/', {
        json: { ...json, current_password: PASSWORD },
        headers: admin,
      });
      const { id } = made.json<{ id: number }>();
      const put = (isEnabled: boolean) =>
        other.request('PUT', `/admin/api/accounts/${id}/`, {
          json: { is_enabled: isEnabled },
          headers: admin,
        });
      const entering = one.request('POST', '/admin/api/sessions/', { json });
      await put(false);
      await entering;
      await put(true);
      expect(await database.query(`SELECT id FROM sessions WHERE account_id = ${id}`)).toEqual([]);
    }
  });
});
