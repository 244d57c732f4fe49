import { workFor } from '../../test/support/work-for.js';
import { partsOf, termsOf, whenTimeToFold, wordsOfPost } from './fold.js';

describe('the time for folding', () => {
  it('is shared by clients in turns', async () => {
    const done: string[] = [];
    const fold = (client: string): Promise<unknown> =>
      whenTimeToFold(() => {
        workFor(6);
        done.push(client);
      }, client);
    const many = Array.from({ length: 30 }, () => fold('many'));
    await Promise.all([...many, fold('one')]);
    expect(done).toHaveLength(31);
    expect(done.indexOf('one')).toBeLessThanOrEqual(2);
  });

  it('is taken in short pieces by ligatures that are decomposed into many letters', () => {
    const text = '\ufdfa'.repeat(3_000);
    const parts = [...partsOf(text)];
    expect(parts.join('')).toBe(text);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(1_024);
    expect(new Set(termsOf(text))).toContain('الله');
  });

  it('is not taken by a long text whose client has gone', async () => {
    const gone = new AbortController();
    const body = '\ufdfa'.repeat(16_000);
    const words = wordsOfPost({ title: 'Fog', body }, Infinity, { name: 'gone', signal: gone.signal });
    gone.abort(new Error('gone'));
    await expect(words).rejects.toThrow('gone');
  });

  it('is not needed by a short ASCII text, so an import of thousands does not wait for each', async () => {
    let pieces = 0;
    const others = Array.from({ length: 30 }, () =>
      whenTimeToFold(() => {
        workFor(6);
        pieces += 1;
      }, 'many'),
    );
    for (let line = 0; line < 1_000; line += 1)
      expect(await wordsOfPost({ title: 'Fog', body: 'On the river.' }, Infinity)).toEqual([
        'fog on the river',
      ]);
    expect(pieces).toBeLessThan(2);
    await Promise.all(others);
  });
});
