import { ApiResponse } from './api-response.js';
import { type Done, ResponseCache, SharedResponses } from './response-cache.js';

const KEY = 'a key';

function setUp(): { cache: ResponseCache; changes: { token: number | undefined } } {
  const changes: { token: number | undefined } = { token: 1 };
  return { changes, cache: new ResponseCache({ changeToken: () => changes.token }) };
}

function aResponse(body = '{}'): ApiResponse {
  return new ApiResponse({ status: 200, body });
}

/** Looks up a response as the pipeline does: first the token, then the response. */
function askCached(cache: ResponseCache, key = KEY): ApiResponse | undefined {
  return cache.begin() === undefined ? undefined : cache.find(key);
}

describe('ResponseCache', () => {
  it('returns a cached response while nothing has changed', () => {
    const { cache } = setUp();
    const response = aResponse();
    cache.keep(KEY, response, cache.begin()!);
    expect(askCached(cache)).toBe(response);
    expect(askCached(cache, 'another key')).toBeUndefined();
  });

  it('drops all cached responses after a change', () => {
    const { cache, changes } = setUp();
    cache.keep(KEY, aResponse(), cache.begin()!);
    changes.token = 2;
    expect(askCached(cache)).toBeUndefined();
    changes.token = 1;
    expect(askCached(cache)).toBeUndefined();
  });

  it('does not cache a response whose data was read before a change', () => {
    const { cache, changes } = setUp();
    const before = cache.begin()!;
    changes.token = 2;
    cache.begin();
    cache.keep(KEY, aResponse(), before);
    expect(askCached(cache)).toBeUndefined();
  });

  it('keeps cached responses, but does not return them, while the change token is unknown', () => {
    const { cache, changes } = setUp();
    const response = aResponse();
    cache.keep(KEY, response, cache.begin()!);
    changes.token = undefined;
    expect(askCached(cache)).toBeUndefined();
    changes.token = 1;
    expect(askCached(cache)).toBe(response);
  });

  it('does not cache large responses', () => {
    const { cache } = setUp();
    cache.keep(KEY, aResponse('x'.repeat(65 * 1024)), cache.begin()!);
    expect(askCached(cache)).toBeUndefined();
  });

  it('caches a bounded number of bytes', () => {
    const { cache } = setUp();
    const token = cache.begin()!;
    const body = 'x'.repeat(60 * 1024);
    for (let i = 0; i < 1_000; i++) cache.keep(`key ${i}`, aResponse(body), token);
    const kept = Array.from({ length: 1_000 }, (_, i) => askCached(cache, `key ${i}`)).filter(Boolean);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length * body.length).toBeLessThanOrEqual(16 * 1024 * 1024);
  });
});

/** Requests a response and records the events; `done` has the callbacks of requests that make their response. */
function setUpSharing() {
  const events: string[] = [];
  const done = new Map<string, Done>();
  const shared = new SharedResponses<string>(
    (name, whenDone) => {
      events.push(`${name} is made`);
      done.set(name, whenDone);
    },
    (name, response) => events.push(`${name} takes ${response.body as string}`),
  );
  const ask = (name: string, key = 'a question'): void => shared.ask(key, name);
  const finish = (name: string, body?: string): void => {
    events.push(`${name} is done`);
    done.get(name)!(body === undefined ? undefined : new ApiResponse({ status: 200, body }));
  };
  return { ask, finish, events };
}

describe('SharedResponses', () => {
  it('makes a response at once for a lone request', () => {
    const { ask, finish, events } = setUpSharing();
    ask('first');
    finish('first', 'one');
    ask('second');
    expect(events).toEqual(['first is made', 'first is done', 'second is made']);
  });

  it('shares the next response among all requests that arrive while one is made', () => {
    const { ask, finish, events } = setUpSharing();
    for (const name of ['first', 'second', 'third', 'fourth']) ask(name);
    expect(events).toEqual(['first is made']);
    finish('first', 'one');
    expect(events.slice(1)).toEqual(['first is done', 'second is made']);
    ask('fifth');
    finish('second', 'two');
    expect(events.slice(3)).toEqual([
      'second is done',
      'fifth is made',
      'third takes two',
      'fourth takes two',
    ]);
  });

  it('does not share a response between different keys', () => {
    const { ask, events } = setUpSharing();
    ask('first');
    ask('second', 'another question');
    expect(events).toEqual(['first is made', 'second is made']);
  });

  it('makes a response for each request when there is none to share', () => {
    const { ask, finish, events } = setUpSharing();
    for (const name of ['first', 'second', 'third', 'fourth']) ask(name);
    finish('first');
    finish('second');
    expect(events.filter((event) => event.endsWith('made'))).toEqual([
      'first is made',
      'second is made',
      'third is made',
      'fourth is made',
    ]);
    ask('fifth');
    expect(events.at(-1)).toBe('fifth is made');
  });

  it('ignores a second notification from the same request', () => {
    const { ask, finish, events } = setUpSharing();
    for (const name of ['first', 'second', 'third']) ask(name);
    finish('first', 'one');
    finish('first');
    ask('fourth');
    finish('second', 'two');
    expect(events.filter((event) => event.endsWith('made'))).toEqual([
      'first is made',
      'second is made',
      'fourth is made',
    ]);
  });
});
