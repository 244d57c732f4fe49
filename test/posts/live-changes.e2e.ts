import { jest } from '@jest/globals';
import { EventListener, listenTo } from '../support/event-listener.js';
import { listOf } from '../support/posts.js';
import { startService } from '../support/service.js';
import { poll } from '../support/until.js';

const service = await startService({ MAX_BODY_BYTES: '2000000' });
const EVENTS = { Accept: 'text/event-stream' };

const listen = listenTo(service);

describe('GET /posts/ with Accept: text/event-stream', () => {
  it('begins now, with its position at once, and is neither kept nor collected', async () => {
    const before = await service.create();
    const listener = await listen();
    const { statusCode, headers } = listener.response;
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // As every response of a list.
      vary: 'Accept, Accept-Encoding, Prefer',
    });
    expect(headers['content-encoding']).toBeUndefined();
    expect(listener.text).toMatch(/^retry: \d+\nid: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\n\n/);
    const after = await service.create();
    await poll(() => listener.events.length).toBe(1);
    const { etag: _etag, path: _path, ...post } = after;
    expect(listener.events).toEqual([{ event: 'post', id: listener.lastEventId, data: post }]);
    expect(listener.of(before.id)).toEqual([]);
    const head = await service.request('HEAD', '/posts/', { headers: EVENTS });
    expect(head.shown).toEqual({
      status: 200,
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        vary: headers.vary,
      },
    });
  });

  it('reports posts that are created, changed, imported, deleted, in the order of their changes', async () => {
    const listener = await listen('?fields=id,title,etag');
    const { id, path } = await service.create({ title: 'one\r\n"1"' });
    await poll(() => listener.of(id)).toHaveLength(1);
    await service.put(path, { title: 'two', body: '' });
    await poll(() => listener.of(id)).toHaveLength(2);
    await service.delete(path);
    await poll(() => listener.of(id)).toHaveLength(3);
    expect(listener.of(id)).toEqual([
      { id, title: 'one\r\n"1"', etag: `"${id}-1"` },
      { id, title: 'two', etag: `"${id}-2"` },
      { id, deleted_at: expect.stringMatching(/Z$/) },
    ]);
    const [deletion] = (await service.get('/deleted-posts/?limit=1')).json<object[]>();
    expect(listener.of(id).at(-1)).toEqual(deletion);
    const lines = Array.from({ length: 450 }, (_, index) => JSON.stringify({ title: `x${index}`, body: '' }));
    const { first_id: first } = (await service.import(lines.join('\n'))).json<{ first_id: number }>();
    await poll(() => listener.of(first + 449)).toHaveLength(1);
    for (let index = 0; index < 450; index += 1)
      expect(listener.of(first + index)).toMatchObject([{ title: `x${index}` }]);
  });

  it('continues after Last-Event-ID, which wins over modified_after, or begins in the past', async () => {
    const listener = await listen();
    const [one, two] = [await service.create(), await service.create()];
    await poll(() => listener.of(two.id)).toHaveLength(1);
    listener.close();
    await service.put(one.path, { title: 'changed', body: '' });
    await service.delete(two.path);
    const three = await service.create();
    const headers = { 'Last-Event-ID': listener.lastEventId };
    for (const query of ['', '?modified_after=2000-01-01']) {
      const next = await listen(query, headers);
      await poll(() => next.of(three.id)).toHaveLength(1);
      expect([next.copy.get(one.id), next.copy.get(two.id)]).toMatchObject([
        { title: 'changed' },
        undefined as never,
      ]);
    }
    const [{ modified }] = (await service.get(listOf([three], '&fields=modified'))).json<
      [{ modified: string }]
    >();
    const late = await listen(`?modified_after=${modified}&fields=id`);
    await poll(() => late.of(three.id)).toEqual([{ id: three.id }]);
    expect(late.of(one.id)).toEqual([]);
  });

  it('sends each client the fields that it has asked for', async () => {
    const listeners = [await listen('?fields=id'), await listen('?fields=id,title')];
    const { id, title } = await service.create();
    for (const listener of listeners) await poll(() => listener.of(id)).toHaveLength(1);
    expect(listeners.flatMap((listener) => listener.of(id))).toEqual([{ id }, { id, title }]);
  });

  it('begins a day ago at most, however long nothing has changed: an older position would soon expire', async () => {
    const quiet = await startService();
    await quiet.database.execute(`UPDATE posts_counters SET modified = '2020-01-01T00:00:00.000000Z'`);
    const listener = await EventListener.open(quiet.port);
    expect(Date.parse(listener.lastEventId)).toBeGreaterThan(Date.now() - 2 * 86_400_000);
    listener.close();
  });

  it('sends a large post, also to a client that begins in the past', async () => {
    const listener = await listen('?fields=id,body');
    const since = listener.lastEventId;
    const [large] = await service.createAll([{ body: 'large 😀\n'.repeat(100_000) }]);
    const { id, body } = large!;
    // It may come twice.
    await poll(() => listener.of(id).length > 0).toBe(true);
    expect(JSON.stringify(listener.copy.get(id)) === JSON.stringify({ id, body })).toBe(true);
    const next = await listen('?fields=id,body', { 'Last-Event-ID': since });
    await poll(() => next.of(id).length > 0).toBe(true);
    const { id: after } = await service.create();
    await poll(() => listener.of(after).length > 0).toBe(true);
    await poll(() => next.of(after).length > 0).toBe(true);
  });

  it('ends after an hour', async () => {
    const listener = await listen();
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now + 3_590_000);
    const { id } = await service.create();
    await poll(() => listener.isEnded).toBe(true);
    clock.mockRestore();
    const next = await listen('', { 'Last-Event-ID': listener.lastEventId });
    await poll(() => next.of(id).length > 0).toBe(true);
    expect(next.isEnded).toBe(false);
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['?limit=1&ordering=id', {}, ['parameter limit', 'parameter ordering']],
    ['?search=x', {}, ['parameter search']],
    ['?fields=x', {}, ['parameter fields']],
    ['?modified_after=x', {}, ['parameter modified_after']],
    ['', { 'Last-Event-ID': '7' }, ['header Last-Event-ID']],
    ['', { 'Last-Event-ID': '2026-02-30T00:00:00.000Z' }, ['header Last-Event-ID']],
    ['?id=1', { 'Last-Event-ID': '' }, ['parameter id', 'header Last-Event-ID']],
  ])('refuses %s with %j', async (query, headers, places) => {
    const response = await service.get(`/posts/${query}`, { ...EVENTS, ...headers });
    expect([response.status, response.faultyPlaces]).toEqual([400, places]);
  });

  it('answers 410 where deletions may have been forgotten since', async () => {
    for (const [query, headers] of [
      ['?modified_after=2001-01-01', {}],
      ['', { 'Last-Event-ID': '2001-01-01T00:00:00.000Z' }],
    ] as const) {
      const { problem } = await service.get(`/posts/${query}`, { ...EVENTS, ...headers });
      expect(problem).toMatchObject({ status: 410, code: 'deletions-expired' });
    }
  });
});
