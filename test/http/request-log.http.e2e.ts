import { jest } from '@jest/globals';
import { PostsService } from '../../src/posts/posts.service.js';
import { startAdminService } from '../support/admin.js';
import { aPost } from '../support/posts.js';
import type { LogRecord } from '../support/service.js';
import { until } from '../support/until.js';

const CONFIGURED = 'abcdefghijklmnop';
const { service, asAdmin } = await startAdminService({ API_TOKENS: CONFIGURED });

/** The line of the request with this id. */
async function lineOf(id: string): Promise<LogRecord> {
  const find = () => service.log.find(({ msg, request_id }) => msg === 'request' && request_id === id);
  await until(() => find() !== undefined);
  return find()!;
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('the log line of a request', () => {
  it('has the client, the route, the status and the duration', async () => {
    await service.get('/posts/?limit=5', { 'X-Request-Id': 'anonymous' });
    expect(await lineOf('anonymous')).toEqual({
      level: 'info',
      time: expect.any(String),
      request_id: 'anonymous',
      client: '127.0.0.1',
      method: 'GET',
      path: '/posts/',
      route: '/posts/',
      status: 200,
      duration_ms: expect.any(Number),
      msg: 'request',
    });
  });

  it.each([
    [`00-${TRACE}-${PARENT}-01`, TRACE],
    [`cc-${TRACE}-${PARENT}-01-later`, TRACE],
    [`ff-${TRACE}-${PARENT}-01`, undefined],
    [`00-${TRACE}-${PARENT}`, undefined],
    [`00-${TRACE}-${PARENT}-01-more`, undefined],
    [`00-${'0'.repeat(32)}-${PARENT}-01`, undefined],
    [`00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
    [`00-${TRACE.toUpperCase()}-${PARENT}-01`, undefined],
    [`00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`, undefined],
  ])('has the trace of traceparent %s: %s', async (traceparent, trace) => {
    const { headers } = await service.get('/', { traceparent });
    const { trace_id: logged } = await lineOf(headers['x-request-id']!);
    expect(logged).toBe(trace);
  });

  it('names the account or the token, and never shows the token', async () => {
    const created = await service.request('POST', '/admin/api/tokens/', {
      json: { name: 'nightly', role: 'editor', current_password: 'correct horse battery' },
      headers: asAdmin,
    });
    expect(created.status).toBe(201);
    const { token } = created.json<{ token: string }>();
    await service.get('/admin/api/accounts/', { ...asAdmin, 'X-Request-Id': 'account' });
    await service.post(aPost(), { Authorization: `Bearer ${token}`, 'X-Request-Id': 'token' });
    await service.post(aPost(), { Authorization: `Bearer ${CONFIGURED}`, 'X-Request-Id': 'set' });
    expect(await lineOf('account')).toMatchObject({ account: 'admin', status: 200 });
    expect(await lineOf('token')).toMatchObject({ token: 'nightly', status: 201 });
    expect(await lineOf('set')).toMatchObject({ token: 'API_TOKENS', status: 201 });
    const everything = JSON.stringify(service.log);
    expect(everything).not.toContain(token);
    expect(everything).not.toContain(CONFIGURED);
  });

  it('shares the trace with the other lines about the request', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    jest.spyOn(PostsService.prototype, 'findOrFail').mockRejectedValueOnce(new Error('a fault'));
    await service.get('/posts/7/', { 'X-Request-Id': 'failed', traceparent });
    await lineOf('failed');
    const lines = service.log.filter(({ request_id }) => request_id === 'failed');
    expect(lines.map(({ level, trace_id }) => [level, trace_id])).toEqual([
      ['error', traceId],
      ['info', traceId],
    ]);
  });

  it('is missing for health checks', async () => {
    await service.get('/health/live');
    await service.get('/health/ready');
    await service.get('/', { 'X-Request-Id': 'after' });
    await lineOf('after');
    expect(service.log.filter(({ path }) => String(path).startsWith('/health/'))).toEqual([]);
  });
});
