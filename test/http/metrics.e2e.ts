import { INFO } from '../../src/openapi/info.js';
import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

const service = await startService();

/** The Accept header of Prometheus 3. */
const PROMETHEUS_ACCEPT =
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,' +
  'application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,' +
  'text/plain;version=0.0.4;q=0.3,*/*;q=0.2';

/** The value of a series such as `http_requests_total{method="GET"}`. The labels must be in the order of the output. */
async function read(series: string): Promise<number | undefined> {
  return valueOf(series, (await service.get('/metrics')).text);
}

function valueOf(series: string, text: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

describe('GET /metrics', () => {
  it('has the text format of Prometheus', async () => {
    const response = await service.get('/metrics', { Accept: PROMETHEUS_ACCEPT });
    expect(response.shown).toEqual({
      status: 200,
      headers: {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        'cache-control': 'no-store',
        vary: 'Accept, Accept-Encoding',
      },
      body: expect.stringMatching(/^# HELP http_requests_total /m),
    });
  });

  it('counts requests by method, route and status, not by path, with the route of the log', async () => {
    const { path } = await service.create();
    for (const target of [path, '/posts/4711/', '/nowhere/at/all']) await service.get(target);
    const get = 'http_requests_total{method="GET",route';
    expect(await read('http_requests_total{method="POST",route="/posts/",status="201"}')).toBe(1);
    expect(await read(`${get}="/posts/{id}/",status="200"}`)).toBe(1);
    expect(await read(`${get}="/posts/{id}/",status="404"}`)).toBe(1);
    expect(await read(`${get}="none",status="404"}`)).toBe(1);
    expect((await service.get('/metrics')).text).not.toContain('nowhere');
    const routeOf = (target: string) => service.log.find((line) => line['path'] === target)?.['route'];
    await until(() => routeOf('/nowhere/at/all') === 'none' && routeOf('/posts/4711/') === '/posts/{id}/');
  });

  it('measures requests, the database and the size of bodies', async () => {
    await service.post(aPost({ body: 'x'.repeat(20_000) }));
    const route = 'route="/posts/"';
    expect(await read(`http_request_duration_seconds_count{method="POST",${route}}`)).toBeGreaterThan(0);
    expect(await read(`http_request_size_bytes_bucket{le="65536",${route}}`)).toBeGreaterThan(0);
    expect(await read(`http_response_size_bytes_sum{${route}}`)).toBeGreaterThan(20_000);
    for (const kind of ['read', 'write']) {
      expect(await read(`database_operations_total{kind="${kind}"}`)).toBeGreaterThan(0);
      expect(await read(`database_operation_seconds_total{kind="${kind}"}`)).toBeGreaterThan(0);
    }
  });

  it('counts transactions, and the writes in them', async () => {
    // Both from one response: the service also writes in the background.
    const totals = async (): Promise<{ transactions: number; writes: number }> => {
      const { text } = await service.get('/metrics');
      return {
        transactions: valueOf('database_transactions_total', text)!,
        writes: valueOf('database_transaction_writes_total', text)!,
      };
    };
    const posts = await Promise.all(Array.from({ length: 10 }, () => service.create()));
    const before = await totals();
    const replaced = await Promise.all(
      posts.map(({ path }) => service.put(path, aPost({ title: 'replaced' }))),
    );
    expect(replaced.map(({ status }) => status)).toEqual(posts.map(() => 200));
    const after = await totals();
    expect(after.transactions).toBeGreaterThan(before.transactions);
    // On PostgreSQL, changes that arrive together are one write.
    expect(after.writes - before.writes).toBeGreaterThanOrEqual(after.transactions - before.transactions);
    expect(await read('database_transaction_seconds_total')).toBeGreaterThan(0);
  });

  it('shows the version, and the size of the database', async () => {
    expect(await read(`posts_info{version="${INFO.version}"}`)).toBe(1);
    expect(await read('database_size_bytes{part="database"}')).toBeGreaterThan(4_096);
  });

  it('counts log-ins with a wrong password', async () => {
    const before = (await read('posts_log_ins_failed_total'))!;
    const json = { username: 'nobody', password: 'not the password' };
    expect((await service.request('POST', '/admin/api/sessions/', { json })).status).toBe(401);
    expect(await read('posts_log_ins_failed_total')).toBe(before + 1);
  });

  it.each([
    'database_writes_waiting',
    'posts_writes_refused_total',
    'database_last_backup_timestamp_seconds',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
  ])('shows %s', async (series) => {
    expect(await read(series)).toBeGreaterThanOrEqual(0);
  });
});
