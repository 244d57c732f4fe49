import { ApiResponse } from './api-response.js';
import { ResponseCache, type CacheKey } from './response-cache.js';
import type { Representation } from '../pipeline/route.js';

const json: Representation = { mediaType: 'application/json' };
const QUESTION: CacheKey = {
  target: '/posts/1/',
  baseUrl: 'http://127.0.0.1',
  representation: json,
  preference: '',
};

function setUp(): { cache: ResponseCache; changes: { token: number | undefined } } {
  const changes: { token: number | undefined } = { token: 1 };
  return { changes, cache: new ResponseCache({ changeToken: () => changes.token }) };
}

function aResponse(body = '{}'): ApiResponse {
  return new ApiResponse({ status: 200, body });
}

/** Asks as the pipeline does: first for the token, then for the response. */
function ask(cache: ResponseCache, cacheKey = QUESTION): ApiResponse | undefined {
  return cache.begin() === undefined ? undefined : cache.find(cacheKey);
}

describe('AnswerCache', () => {
  it('gives an answer again while nothing has changed', () => {
    const { cache } = setUp();
    const response = aResponse();
    cache.keep(QUESTION, response, cache.begin()!);
    expect(ask(cache)).toBe(response);
    expect(ask(cache, { ...QUESTION, target: '/posts/2/' })).toBeUndefined();
  });

  it.each([
    { baseUrl: 'http://localhost' },
    { representation: { mediaType: 'text/csv' } },
    { preference: 'count=exact' },
  ])('keeps apart what %j asks for', (difference) => {
    const { cache } = setUp();
    const [response, other] = [aResponse(), aResponse()];
    const cacheKey = { ...QUESTION, ...difference };
    cache.keep(QUESTION, response, cache.begin()!);
    expect(ask(cache, cacheKey)).toBeUndefined();
    cache.keep(cacheKey, other, cache.begin()!);
    expect(ask(cache)).toBe(response);
    expect(ask(cache, { ...cacheKey })).toBe(other);
  });

  it('keeps but some answers of one target', () => {
    const { cache } = setUp();
    const questions = Array.from({ length: 100 }, (_, i) => ({ ...QUESTION, preference: `wait=${i}` }));
    for (const cacheKey of questions) cache.keep(cacheKey, aResponse(), cache.begin()!);
    expect(questions.filter((cacheKey) => ask(cache, cacheKey))).toHaveLength(16);
  });

  it('forgets all once anything has changed', () => {
    const { cache, changes } = setUp();
    cache.keep(QUESTION, aResponse(), cache.begin()!);
    changes.token = 2;
    expect(ask(cache)).toBeUndefined();
    changes.token = 1;
    expect(ask(cache)).toBeUndefined();
  });

  it('does not keep an answer whose data was read before a change', () => {
    const { cache, changes } = setUp();
    const before = cache.begin()!;
    changes.token = 2;
    cache.begin();
    cache.keep(QUESTION, aResponse(), before);
    expect(ask(cache)).toBeUndefined();
  });

  it('gives nothing while there is no telling, and goes on where it was afterwards', () => {
    const { cache, changes } = setUp();
    const response = aResponse();
    cache.keep(QUESTION, response, cache.begin()!);
    changes.token = undefined;
    expect(ask(cache)).toBeUndefined();
    changes.token = 1;
    expect(ask(cache)).toBe(response);
  });

  it('does not keep what is large', () => {
    const { cache } = setUp();
    cache.keep(QUESTION, aResponse('x'.repeat(65 * 1024)), cache.begin()!);
    expect(ask(cache)).toBeUndefined();
  });

  it('keeps no more than a bounded amount', () => {
    const { cache } = setUp();
    const token = cache.begin()!;
    const body = 'x'.repeat(60 * 1024);
    for (let i = 0; i < 1_000; i++) cache.keep({ ...QUESTION, target: `/${i}` }, aResponse(body), token);
    const kept = Array.from({ length: 1_000 }, (_, i) => ask(cache, { ...QUESTION, target: `/${i}` })).filter(
      Boolean,
    );
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length * body.length).toBeLessThanOrEqual(16 * 1024 * 1024);
  });
});
