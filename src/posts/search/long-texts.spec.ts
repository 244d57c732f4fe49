import { setImmediate } from 'node:timers/promises';
import { LongTexts } from './long-texts.js';

const LONG = { title: 'long', body: Array.from({ length: 9_000 }, (_, index) => `é${index}`).join(' ') };
const SHORT = { title: 'short', body: 'short' };

describe('LongTexts', () => {
  it('tells the same of a text, whether or not it was prepared', async () => {
    const texts = new LongTexts();
    const terms = texts.termsOf(LONG.title, LONG.body);
    expect(terms).toHaveLength(9_001);
    const prepared = await texts.whileKept([SHORT, LONG], () =>
      Promise.resolve(texts.termsOf(LONG.title, LONG.body)),
    );
    expect(prepared).toEqual(terms);
    expect(texts.termsOf('another', LONG.body)).toContain('another');
  });

  it('lets others have their turn while it looks for the words of a long text', async () => {
    let turns = 0;
    const isOver = { now: false };
    const others = (async () => {
      while (!isOver.now) {
        await setImmediate();
        turns += 1;
      }
    })();
    await new LongTexts().whileKept([LONG], () => Promise.resolve());
    isOver.now = true;
    await others;
    expect(turns).toBeGreaterThan(5);
  });

  it('finds the words once, and forgets them after the work, also when that fails', async () => {
    const texts = new LongTexts();
    await texts.whileKept([LONG], () => {
      expect(texts.termsOf(LONG.title, LONG.body)).toBe(texts.termsOf(LONG.title, LONG.body));
      return Promise.resolve();
    });
    const failing = texts.whileKept([LONG], () => Promise.reject(new Error('refused')));
    await expect(failing).rejects.toThrow('refused');
    expect(texts.termsOf(LONG.title, LONG.body)).not.toBe(texts.termsOf(LONG.title, LONG.body));
  });
});
