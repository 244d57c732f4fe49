import { join } from 'node:path';
import type { HttpResponse } from '../support/http-client.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const started: ServiceProcess[] = [];
let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const service of started.splice(0)) {
    await service.stop('SIGKILL');
  }
});

async function start(name: string, environment: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await ServiceProcess.start({
    databasePath: join(folder, name, 'posts.sqlite'),
    environment,
  });
  started.push(service);
  return service;
}

function spawn(environment: Record<string, string>): ServiceProcess {
  const service = ServiceProcess.spawn({ databasePath: join(folder, 'posts.sqlite'), environment });
  started.push(service);
  return service;
}

describe('the service', () => {
  it('creates its database folder, listens, and logs its address', async () => {
    const service = await start('a/b/c');
    expect((await service.send('GET', '/health/ready')).json()).toEqual({ status: 'ok' });
    expect(service.stdout).toContain(`http://127.0.0.1:${service.port}/`);
    await service.says(/"password".*\n/);
    expect(service.stdout).toMatch(/Database: SQLite 3\.[\d.]+, .*a\/b\/c\/posts\.sqlite"/);
    expect(service.stdout).toMatch(/The schema was migrated in \d+ ms: \w+/);
    const levels = service.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { level: string }).level);
    expect(new Set(levels)).toEqual(new Set(['info', 'warn']));
    expect(service.stderr).toBe('');
  });

  it('returns stored posts after it was killed and started again', async () => {
    const first = await start('same');
    const created = await first.send('POST', '/posts/', { json: { title: 'a', body: 'b' } });
    await first.stop('SIGKILL');
    const second = await start('same');
    expect((await second.send('GET', '/posts/1/')).text).toBe(created.text);
  });

  it('responds the same in every time zone of the machine', async () => {
    const zones = ['UTC', 'Asia/Kathmandu', 'America/St_Johns'];
    const services = await Promise.all(
      zones.map((zone) => start(zone, { TZ: zone, PUBLIC_URL: 'http://posts.test' })),
    );
    const dates = ['2026-03-29T02:30:00', '2026-03-29 02:30:00+02:00', '2026-11-20', '0001-01-01'];
    const posts = [...dates, '9999-12-31T23:59:59.999999Z'].map((date) => ({
      title: date,
      pub_date: date,
      body: '',
    }));
    const requests: [string, string, object?][] = [
      ...posts.map((post): [string, string, object] => ['POST', '/posts/', post]),
      ['GET', '/posts/1/'],
      ['GET', '/posts/?ordering=pub_date'],
      ['GET', '/posts/?pub_date_after=2026-03-29&pub_date_before=2026-11-20T00:00:00.000001'],
      ['PUT', '/posts/3/', { title: 'New', body: '' }],
      ['PUT', '/posts/3/', { title: 'New', pub_date: '2026-10-25T02:30', body: '' }],
      ['GET', '/posts/3/'],
    ];
    for (const [method, target, json] of requests) {
      const [expected, ...others] = await Promise.all(
        services.map((each) => each.send(method, target, { json })),
      );
      expect(expected!.status).toBeLessThan(300);
      const seen = ({ status, text, etag }: HttpResponse) => [status, text, etag];
      for (const other of others) expect(seen(other)).toEqual(seen(expected!));
    }

    const before = Date.now();
    const now = await Promise.all(
      services.map((each) => each.send('POST', '/posts/', { json: { title: 'a', body: '' } })),
    );
    for (const response of now) {
      const instant = Date.parse(response.json<{ pub_date: string }>().pub_date);
      expect(instant).toBeGreaterThanOrEqual(before);
      expect(instant).toBeLessThanOrEqual(Date.now());
    }
  });

  it('reports all invalid settings at once, without their values, and exits with 1', async () => {
    const names = ['PORT', 'MAX_BODY_BYTES', 'API_TOKENS', 'PUBLIC_URL'];
    const service = spawn(Object.fromEntries(names.map((name) => [name, 's3cret'])));
    expect(await service.exited()).toBe(1);
    for (const name of names) {
      expect(service.stderr).toMatch(new RegExp(`^ *${name}: .+$`, 'm'));
    }
    expect(service.stdout + service.stderr).not.toContain('s3cret');
    expect(service.stdout).toBe('');
  });
});
