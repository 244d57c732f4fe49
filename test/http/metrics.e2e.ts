import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VERSION } from '../../src/settings/package-info.js';
import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

const service = await startService();

/** The value of a series such as `posts_http_requests_total{method="GET"}`. The labels must be in the order of the output. */
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
      body: expect.stringMatching(/^# HELP posts_http_requests_total /m),
    });
  });

  it('counts requests by method, route and status, not by path, with the route of the log', async () => {
    const labels = [
      'method="POST",route="/posts/",status="201"',
      'method="GET",route="/posts/{id}/",status="200"',
      'method="GET",route="/posts/{id}/",status="404"',
      'method="GET",route="none",status="404"',
    ];
    const counts = () =>
      Promise.all(labels.map(async (each) => (await read(`posts_http_requests_total{${each}}`)) ?? 0));
    const before = await counts();
    const { path } = await service.create();
    for (const target of [path, '/posts/4711/', '/nowhere/at/all']) await service.get(target);
    expect(await counts()).toEqual(before.map((count) => count + 1));
    expect((await service.get('/metrics')).text).not.toContain('nowhere');
    const routeOf = (target: string) => service.log.find((line) => line['path'] === target)?.['route'];
    await until(() => routeOf('/nowhere/at/all') === 'none' && routeOf('/posts/4711/') === '/posts/{id}/');
  });

  it('has a histogram of the durations, whose buckets include the shorter ones', async () => {
    for (let i = 0; i < 5; i += 1) await service.get('/health/live');
    const labels = 'method="GET",route="/health/live"';
    const { text } = await service.get('/metrics');
    const buckets = [...text.matchAll(/_bucket\{le="([^"]+)",method="GET",route="\/health\/live"\} (\d+)/g)];
    const counts = buckets.map(([, , count]) => Number(count));
    expect(buckets.map(([, bound]) => bound).filter((_, i) => i % 7 === 0)).toEqual([
      '0.001',
      '0.25',
      '+Inf',
    ]);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBe(await read(`posts_http_requests_total{${labels},status="200"}`));
    expect(counts.at(-1)).toBe(await read(`posts_http_request_duration_seconds_count{${labels}}`));
    const seconds = (await read(`posts_http_request_duration_seconds_sum{${labels}}`))!;
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(60);
  });

  it.each([
    ['posts_http_request_duration_seconds_count{method="POST",route="/posts/"}', 1],
    ['posts_database_operations_total{kind="write"}', 1],
    ['posts_database_operation_seconds_total{kind="write"}', 1e-9],
    ['posts_log_lines_dropped_total', 0],
    ['posts_requests_limited_total', 0],
    ['posts_database_transactions_total', 1],
    ['posts_database_transaction_writes_total', 1],
    ['posts_database_transaction_seconds_total', 1e-9],
    ['posts_database_size_bytes{part="database"}', 4_096],
    [`posts_info{version="${VERSION}"}`, 1],
    ['process_resident_memory_bytes', 1_000_000],
  ])('shows %s', async (series, least) => {
    await service.post(aPost());
    expect(await read(series)).toBeGreaterThanOrEqual(least);
  });

  it('counts the responses from the cache', async () => {
    const count = async (path: string): Promise<number> => {
      const before = (await read('posts_responses_cached_total'))!;
      await service.get(path);
      return (await read('posts_responses_cached_total'))! - before;
    };
    const { path } = await service.create();
    // The first one runs the handler.
    expect(await count(path)).toBe(0);
    // Other processes change a PostgreSQL database, too, so each hit is checked there; it is one nevertheless. On SQLite,
    // the cache is emptied a second after the start, when the service has looked for changes of others.
    await until(async () => (await count(path)) === 1);
    expect(await count('/posts/4711/')).toBe(0);
  });

  it('counts log-ins with a wrong password', async () => {
    const before = (await read('posts_log_ins_failed_total'))!;
    const json = { username: 'nobody', password: 'not the password' };
    expect((await service.request('POST', '/admin/api/sessions/', { json })).status).toBe(401);
    expect(await read('posts_log_ins_failed_total')).toBe(before + 1);
  });
});

const readDocument = (name: string): Promise<string> =>
  readFile(join(import.meta.dirname, '../../docs', name), 'utf8');
const dashboard = await readDocument('operate/monitoring/grafana-dashboard.json');
const alerts = await readDocument('operate/monitoring/prometheus-alerts.yaml');

const isPostgres = service.database.url.startsWith('postgres');

describe('the dashboard and the alerts', () => {
  it('use only metrics and labels of /metrics', async () => {
    const { path } = await service.create();
    await service.get(path);
    const shown = (await service.get('/metrics')).text;
    const names = (dashboard + alerts).match(/\b(?:nodejs|posts|process)_\w+/g)!;
    expect(names.length).toBeGreaterThan(40);
    for (const name of new Set(names)) {
      // They appear with the first garbage collection, and on PostgreSQL.
      const isAbsent =
        name.startsWith('nodejs_gc_') || (!isPostgres && name.startsWith('posts_database_connection'));
      if (!isAbsent) expect(shown).toMatch(new RegExp(`^${name}[{ ]`, 'm'));
    }
    for (const [, label] of (dashboard + alerts).matchAll(/[{,]\s*([a-z]+)(?:=~|=|!=)\\?"/g)) {
      if (!['job', 'instance'].includes(label!)) expect(shown).toMatch(new RegExp(`[{,]${label}="`));
    }
  });

  it('explain each alert in docs/operate/operations.md', async () => {
    const operations = await readDocument('operate/operations.md');
    const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(15);
    for (const name of names) expect(operations).toContain(`### ${name}\n`);
    // Programs that show alerts look for an absolute address in it.
    expect(alerts).not.toMatch(/runbook(?:_url)?: (?!https:)/);
  });
});
