import { FirstAccountService } from '../../src/accounts/first-account.service.js';
import { AdminClient, type Headers, PASSWORD, tryLogIn } from '../support/admin.js';
import { aPost } from '../support/posts.js';
import { startInstances, startService } from '../support/service.js';

const PREFIX = 'The first account of the administration site was created.';

const { database, instances } = await startInstances();
const [one, other] = instances;
// As each start does once it listens (bootstrap/start.ts).
await Promise.all(instances.map(({ app }) => app.get(FirstAccountService, { strict: false }).makeFirst()));
const shown = instances.flatMap(({ log }) => log.filter(({ msg }) => msg.startsWith(PREFIX)));
const early = await AdminClient.logIn(other, 'admin', shown[0]!['password'] as string);

const settings = { DATABASE_URL: database.url, ADMIN_PASSWORD: PASSWORD, ADMIN_USERNAME: 'ADMIN' };
const hashOf = () => database.query("SELECT password_hash FROM accounts WHERE username = 'admin'");
const generated = await hashOf();
const accounts = await database.query('SELECT username FROM accounts');
await startService(settings);

async function statusesOf(headers: Headers): Promise<number[]> {
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
    expect(shown).toEqual([
      expect.objectContaining({
        level: 'warn',
        username: 'admin',
        password: expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/),
      }),
    ]);
    expect(accounts).toEqual([{ username: 'admin' }]);
  });

  it('set a changed ADMIN_PASSWORD at the start, and end the sessions of the account', async () => {
    const changed = await hashOf();
    expect(changed).not.toEqual(generated);
    expect(await statusesOf(early.headers)).toEqual(REFUSED);
    const { headers } = await AdminClient.logIn(one);
    // A start with the current password changes nothing.
    const { log } = await startService(settings);
    expect(log.filter(({ msg }) => msg.startsWith(PREFIX))).toEqual([]);
    expect(await hashOf()).toEqual(changed);
    expect(await statusesOf(headers)).toEqual(LOGGED_IN);
    await startService({ ...settings, ADMIN_PASSWORD: 'another horse battery' });
    expect(await statusesOf(headers)).toEqual(REFUSED);
    await startService(settings);
  });

  it('accept sessions and API tokens of other instances until these are ended', async () => {
    const admin = await AdminClient.logIn(one);
    const account = await admin.addAccount({ username: 'Zoë', role: 'administrator' });
    const person = await AdminClient.logIn(other, 'zoë');
    const token = await admin.makeToken();
    expect(await statusesOf(admin.headers)).toEqual(LOGGED_IN);
    expect(await statusesOf(person.headers)).toEqual(LOGGED_IN);
    expect(await statusesOf(token.headers)).toEqual(A_PROGRAM);
    expect((await other.delete(`/admin/api/tokens/${token.id}/`, admin.headers)).status).toBe(204);
    expect(await statusesOf(token.headers)).toEqual(REFUSED);
    expect((await admin.change(account, { is_enabled: false })).status).toBe(200);
    expect(await statusesOf(person.headers)).toEqual(REFUSED);
    expect((await other.delete('/admin/api/sessions/current/', admin.headers)).status).toBe(204);
    expect(await statusesOf(admin.headers)).toEqual(REFUSED);
  });

  it('leave no session for an account that is disabled during its log-in', async () => {
    const admin = await AdminClient.logIn(other);
    for (let round = 0; round < 3; round += 1) {
      const account = await admin.addAccount();
      const entering = tryLogIn(one, account.username);
      await admin.change(account, { is_enabled: false });
      await entering;
      await admin.change(account, { is_enabled: true });
      expect(await database.query(`SELECT id FROM sessions WHERE account_id = ${account.id}`)).toEqual([]);
    }
  });
});
