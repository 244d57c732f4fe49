import { ApiResponse } from './api-response.js';
import { ResponseCache } from './response-cache.js';

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
