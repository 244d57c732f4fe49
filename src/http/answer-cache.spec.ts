import { Answer } from './answer.js';
import { AnswerCache } from './answer-cache.js';

const KEY = 'application/json http://127.0.0.1/posts/1/ ';

function setUp(): { cache: AnswerCache; changes: { token: number | undefined } } {
  const changes: { token: number | undefined } = { token: 1 };
  return { changes, cache: new AnswerCache({ changeToken: () => changes.token }) };
}

function anAnswer(body = '{}'): Answer {
  return new Answer({ status: 200, body });
}

/** Asks as the front does: first for the token, then for the answer. */
function ask(cache: AnswerCache, key = KEY): Answer | undefined {
  return cache.begin() === undefined ? undefined : cache.find(key);
}

describe('AnswerCache', () => {
  it('gives an answer again while nothing has changed', () => {
    const { cache } = setUp();
    const answer = anAnswer();
    cache.keep(KEY, answer, cache.begin()!);
    expect(ask(cache)).toBe(answer);
    expect(ask(cache, 'another')).toBeUndefined();
  });

  it('forgets all once anything has changed', () => {
    const { cache, changes } = setUp();
    cache.keep(KEY, anAnswer(), cache.begin()!);
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
    cache.keep(KEY, anAnswer(), before);
    expect(ask(cache)).toBeUndefined();
  });

  it('gives nothing while there is no telling, and goes on where it was afterwards', () => {
    const { cache, changes } = setUp();
    const answer = anAnswer();
    cache.keep(KEY, answer, cache.begin()!);
    changes.token = undefined;
    expect(ask(cache)).toBeUndefined();
    changes.token = 1;
    expect(ask(cache)).toBe(answer);
  });

  it('does not keep what is large', () => {
    const { cache } = setUp();
    cache.keep(KEY, anAnswer('x'.repeat(65 * 1024)), cache.begin()!);
    expect(ask(cache)).toBeUndefined();
  });

  it('keeps no more than a bounded amount', () => {
    const { cache } = setUp();
    const token = cache.begin()!;
    const body = 'x'.repeat(60 * 1024);
    for (let i = 0; i < 1_000; i++) cache.keep(`${KEY}${i}`, anAnswer(body), token);
    const kept = Array.from({ length: 1_000 }, (_, i) => ask(cache, `${KEY}${i}`)).filter(Boolean);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length * body.length).toBeLessThanOrEqual(16 * 1024 * 1024);
  });
});
