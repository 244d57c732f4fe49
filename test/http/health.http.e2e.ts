import { Database } from '../../src/database/database.js';
import { jest } from '@jest/globals';
import { startService } from '../support/service.js';

const service = await startService();

afterEach(() => {
  jest.restoreAllMocks();
});

const headers = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  vary: 'Accept, Accept-Encoding',
};
const ok = { status: 200, headers, body: { status: 'ok' } };

describe('GET /health/live and /health/ready', () => {
  it('answer 200 while the process runs and the database responds, and are never cached', async () => {
    expect((await service.get('/health/live')).shown).toEqual(ok);
    expect((await service.get('/health/ready', { 'If-None-Match': '*' })).shown).toEqual(ok);
    // A token is looked up in the database, and this one is unknown.
    const token = { Authorization: `Bearer pst_${'A'.repeat(43)}` };
    expect((await service.get('/', token)).status).toBe(401);
    expect((await service.get('/health/live', token)).shown).toEqual(ok);
  });
});

describe('GET /health/ready', () => {
  const unready = {
    status: 503,
    headers: { ...headers, 'retry-after': '1' },
    body: { status: 'error', detail: 'The database does not respond.' },
  };

  it('answers 503 while the database is down or hangs, and 200 afterwards', async () => {
    const ping = jest.spyOn(service.app.get(Database), 'ping').mockRejectedValue(new Error('secret'));
    const { body: _, ...head } = unready;
    expect((await service.get('/health/ready')).shown).toEqual(unready);
    expect((await service.request('HEAD', '/health/ready')).shown).toEqual(head);
    expect((await service.get('/health/live')).shown).toEqual(ok);
    ping.mockReturnValue(new Promise(() => undefined));
    expect((await service.get('/health/ready')).shown).toEqual(unready);
    ping.mockRestore();
    expect((await service.get('/health/ready')).shown).toEqual(ok);
  });
});
