import { countTurns } from '../../test/support/turns.js';
import { LongTexts, SEARCHED_CHARACTERS } from './long-texts.js';

const LONG = { title: 'long', body: Array.from({ length: 9_000 }, (_, index) => `é${index}`).join(' ') };
const SHORT = { title: 'short', body: 'short' };

describe('LongTexts', () => {
  it('gives the same result for a prepared text', async () => {
    const texts = new LongTexts();
    const terms = await texts.termsInTime(LONG.title, LONG.body);
    expect(terms).toHaveLength(9_001);
    expect(terms).toEqual(texts.termsOf(LONG.title, LONG.body));
    const prepared = await texts.whileKept([SHORT, LONG], () => texts.termsInTime(LONG.title, LONG.body));
    expect(prepared).toEqual(terms);
    expect(await texts.termsInTime('another', LONG.body)).toContain('another');
  });

  it.each<[string, string]>([
    ['words', 'lorem ipsum '],
    ['one very long word', 'é'],
    ['marks without a letter', '\u0301\u0323'],
  ])('yields to the event loop in every part of a text: %s', async (_, unit) => {
    const body = unit.repeat(300_000 / unit.length);
    const turns = await countTurns(() => new LongTexts().termsInTime('long', body));
    expect(turns).toBeGreaterThan(body.length / 20_000);
  });

  it('extracts the terms once, and forgets them after the work, even when it fails', async () => {
    const texts = new LongTexts();
    await texts.whileKept([LONG], async () => {
      const terms = await texts.termsInTime(LONG.title, LONG.body);
      expect(await texts.termsInTime(LONG.title, LONG.body)).toBe(terms);
    });
    const failing = texts.whileKept([LONG], () => Promise.reject(new Error('refused')));
    await expect(failing).rejects.toThrow('refused');
    const found = await texts.termsInTime(LONG.title, LONG.body);
    expect(await texts.termsInTime(LONG.title, LONG.body)).not.toBe(found);
  });

  it('gives the terms of the first 1,048,576 characters', async () => {
    const body = `${'😀'.repeat(SEARCHED_CHARACTERS - 5)}in outside`;
    expect(await new LongTexts().termsInTime('many', body)).toEqual(
      expect.arrayContaining(['many', 'in', 'ou']),
    );
    expect(await new LongTexts().termsInTime('many', body)).not.toContain('outside');
  });
});
