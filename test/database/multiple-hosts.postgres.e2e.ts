import { PostgresServer } from '../support/postgres-server.js';
import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

const primary = await PostgresServer.start();
const replica = await primary.addReplica();
afterAll(async () => {
  await replica.remove();
  await primary.remove();
});

describe('a DATABASE_URL with several hosts', () => {
  it('connects to the primary, and after a failover to the new primary', async () => {
    // First the standby, then a port without a server, then the primary.
    const hosts = `127.0.0.1:${replica.port},127.0.0.1:1,127.0.0.1:${primary.port}`;
    const url = primary.url().replace(`127.0.0.1:${primary.port}`, hosts);
    const service = await startService({ DATABASE_URL: `${url}?target_session_attrs=read-write` });
    try {
      const { path } = await service.create();
      // The table, too, reaches the replica only now: a query of `posts` would fail before.
      const [{ lsn }] = (await primary.query('SELECT pg_current_wal_lsn() AS lsn')) as [{ lsn: string }];
      await until(
        async () => (await replica.query(`SELECT WHERE pg_last_wal_replay_lsn() >= '${lsn}'`)).length === 1,
      );
      await primary.kill();
      expect((await service.get('/health/ready')).status).toBe(503);
      await replica.query('SELECT pg_promote()');
      await until(async () => (await service.post(aPost())).status === 201);
      expect((await service.get(path)).status).toBe(200);
      expect((await service.get('/health/ready')).status).toBe(200);
    } finally {
      await service.stop();
    }
  });
});
