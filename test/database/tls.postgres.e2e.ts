import { PostgresServer } from '../support/postgres-server.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

const server = await PostgresServer.start();
afterAll(() => server.remove());
const certificate = await server.encrypt();

/** The encryption of the service's connections with these URL parameters. */
async function encryptionWith(parameters: string, host = 'localhost'): Promise<unknown[]> {
  const url = server.url().replace('127.0.0.1', host) + parameters;
  const service = await startService({ DATABASE_URL: url });
  const connections = await server.query(
    `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'posts-service'`,
  );
  await service.stop();
  return connections;
}

describe('sslmode', () => {
  it.each(['', '?sslmode=allow'])('%j uses no TLS', async (parameters) => {
    expect(await encryptionWith(parameters)).toEqual([{ ssl: false }]);
  });

  it.each([
    ['?sslmode=prefer', 'localhost'],
    ['?sslmode=require', '127.0.0.1'],
    [`?sslmode=verify-ca&sslrootcert=${certificate}`, '127.0.0.1'],
    [`?sslmode=verify-full&sslrootcert=${certificate}`, 'localhost'],
  ])('%s encrypts the connection to %s', async (parameters, host) => {
    expect(await encryptionWith(parameters, host)).toEqual([{ ssl: true }]);
  });

  it.each([
    ['?sslmode=verify-full', 'localhost'],
    [`?sslmode=verify-full&sslrootcert=${certificate}`, '127.0.0.1'],
  ])('%s refuses the certificate of %s', async (parameters, host) => {
    await expect(encryptionWith(parameters, host)).rejects.toThrow(
      /^The database cannot be opened: .*certificate/,
    );
  });

  it('prefer uses no TLS where the server has none', async () => {
    await server.query('ALTER SYSTEM SET ssl = off');
    await server.query('SELECT pg_reload_conf()');
    await until(async () => (await server.query('SHOW ssl'))[0].ssl === 'off');
    expect(await encryptionWith('?sslmode=prefer')).toEqual([{ ssl: false }]);
  });
});
