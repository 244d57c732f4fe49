import { INFO } from '../../src/openapi/info.js';
import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

const service = await startService();

/** The value of a series such as `http_requests_total{method="GET"}`. The labels must be in the order of the output. */
async function read(series: string): Promise<number | undefined> {
  const lines = (await service.get('/metrics')).text.split('\n');
  const line = lines.find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

describe('GET /metrics', () => {
  it('has the text format of Prometheus', async () => {
    // As Prometheus 3 asks, but shorter.
    const Accept =
      'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';
    const response = await service.get('/metrics', { Accept });
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

  it.each([
    ['http_request_duration_seconds_count{method="POST",route="/posts/"}', 1],
    ['http_request_size_bytes_bucket{le="65536",route="/posts/"}', 1],
    ['http_response_size_bytes_sum{route="/posts/"}', 20_000],
    ['database_operations_total{kind="read"}', 1],
    ['database_operations_total{kind="write"}', 1],
    ['database_operation_seconds_total{kind="read"}', 1e-9],
    ['database_operation_seconds_total{kind="write"}', 1e-9],
    ['database_transactions_total', 1],
    ['database_transaction_writes_total', 1],
    ['database_transaction_seconds_total', 1e-9],
    ['database_size_bytes{part="database"}', 4_096],
    [`posts_info{version="${INFO.version}"}`, 1],
    ['database_writes_waiting', 0],
    ['posts_writes_refused_total', 0],
    ['database_last_backup_timestamp_seconds', 0],
    ['nodejs_eventloop_lag_p99_seconds', 0],
    ['process_resident_memory_bytes', 1_000_000],
  ])('shows %s', async (series, least) => {
    await service.post(aPost({ body: 'x'.repeat(20_000) }));
    expect(await read(series)).toBeGreaterThanOrEqual(least);
  });

  it('counts log-ins with a wrong password', async () => {
    const before = (await read('posts_log_ins_failed_total'))!;
    const json = { username: 'nobody', password: 'not the password' };
    expect((await service.request('POST', '/admin/api/sessions/', { json })).status).toBe(401);
    expect(await read('posts_log_ins_failed_total')).toBe(before + 1);
  });
});
