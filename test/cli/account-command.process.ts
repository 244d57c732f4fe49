import { AdminClient, PASSWORD, tryLogIn } from '../support/admin.js';
import { type Outcome, runCommand } from '../support/command.js';
import { aPost } from '../support/posts.js';
import { queryOn } from '../support/sqlite-file.js';
import { startService } from '../support/service.js';

const service = await startService({ ADMIN_PASSWORD: PASSWORD, HISTORY_DAYS: '0' });

/** Runs the command on the database of the running service. */
function account(parameters: readonly string[], stdin: string | Buffer = ''): Promise<Outcome> {
  const environment = { DATABASE_URL: service.database.url, PASSWORD_HASH_MEMORY: '16' };
  // This folder has no .env file.
  return runCommand(['account', ...parameters], { folder: import.meta.dirname, environment, stdin });
}

describe('the command account', () => {
  it('adds an account of a running service, and changes its password', async () => {
    const added = { status: 0, stdout: 'The account Zoë was added as viewer.\n', stderr: '' };
    expect(await account(['add', 'Zoë'], 'staple battery horse\n')).toEqual(added);
    const first = await AdminClient.logIn(service, 'zoë', 'staple battery horse');
    const isLoggedIn = async ({ headers }: AdminClient) =>
      (await service.get('/admin/api/sessions/current/', headers)).status === 200;
    expect(await isLoggedIn(first)).toBe(true);

    // The line ending is not part of the password.
    expect((await account(['password', 'Zoë'], 'another horse battery\r\n')).status).toBe(0);
    expect(await isLoggedIn(first)).toBe(false);
    expect((await tryLogIn(service, 'Zoë', 'staple battery horse')).status).toBe(401);
    await AdminClient.logIn(service, 'Zoë', 'another horse battery');
    expect(JSON.stringify(service.log)).not.toContain('another horse');
  });

  it('removes nothing that the service keeps, whatever its own settings are', async () => {
    const { path } = await service.create({ body: 'the first' });
    await service.put(path, aPost({ body: 'the second' }));
    await service.database.execute(`UPDATE post_revisions SET at = '2020-01-01T00:00:00.000000Z'`);
    expect((await account(['add', 'second'], 'staple battery horse')).status).toBe(0);
    const old = 'SELECT old_body FROM post_revisions WHERE number = 2';
    const [kept] = await queryOn(service.database.url.slice('sqlite:'.length), old);
    expect(kept).toEqual({ old_body: 'the first' });
  });

  it.each<[string[], string | Buffer, number, string]>([
    [['add', 'ADMIN'], PASSWORD, 1, 'There is an account with this user name already.\n'],
    [['add', 'b'], 'a'.repeat(12), 1, 'The password must have at least 5 different'],
    [['password', 'admin'], '', 1, 'The password must have 12 to 1024 characters, and'],
    // Each byte that is not UTF-8 would become U+FFFD: another password, which its owner cannot type.
    [['add', 'b'], Buffer.from('Grüße aus Köln', 'latin1'), 1, 'The password must be sent as UTF-8.\n'],
    [['password', 'nobody'], PASSWORD, 1, 'There is no account nobody.\n'],
    [['add', 'a\nb'], '', 2, 'It must have 1 to 100 characters'],
    [['add', 'b', 'owner'], '', 2, 'Allowed choices are viewer, editor, administrator'],
  ])('refuses %j with the password %j', async (parameters, password, status, sentence) => {
    const stderr = expect.stringContaining(sentence);
    expect(await account(parameters, password)).toEqual({ status, stdout: '', stderr });
  });
});
