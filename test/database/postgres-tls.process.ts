import { PostgresServer } from '../support/postgres-server.js';
import { startService } from '../support/service.js';
import { poll } from '../support/until.js';

const server = await PostgresServer.start();
afterAll(() => server.remove());
const certificate = await server.encrypt();

/** The encryption of the service's connections with these URL parameters. */
async function encryptionWith(parameters: string, host = 'localhost'): Promise<unknown[]> {
  const url = server.url().replace('127.0.0.1', host) + parameters;
  const service = await startService({ DATABASE_URL: url });
  const query = `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'posts-service'`;
  const connections = await server.query(query);
  await service.stop();
  // The server ends its side a moment later. The next test must not see them.
  await poll(() => server.query(query)).toEqual([]);
  return connections;
}

describe('sslmode', () => {
  it('that is not set uses no TLS', async () => {
    expect(await encryptionWith('')).toEqual([{ ssl: false }]);
  });

  it.each([
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
});
