import { countTurns } from '../../../test/support/turns.js';
import { decodeUtf8, escapeJson, OneByOne, SLICE_BYTES, SlicedText, slicesOf } from './slices.js';

describe('slicesOf', () => {
  it('does not split surrogate pairs', () => {
    for (const shift of ['', 'x']) {
      const text = shift + '😀'.repeat(SLICE_BYTES);
      const slices = [...slicesOf(text)];
      expect(slices.length).toBeGreaterThanOrEqual(2);
      expect(slices.every((slice) => slice.isWellFormed())).toBe(true);
      expect(slices.join('') === text).toBe(true);
    }
  });
});

describe('decodeUtf8', () => {
  it('does not split characters, and yields between slices', async () => {
    for (const shift of ['', 'x', 'xx', 'xxx']) {
      const text = shift + '😀'.repeat(SLICE_BYTES);
      const bytes = Buffer.from(text);
      expect((await decodeUtf8(bytes)) === text).toBe(true);
      expect(await countTurns(() => decodeUtf8(bytes))).toBeGreaterThanOrEqual(4);
    }
  });
});

describe('SlicedText', () => {
  it('is the escaped text between its prefix and suffix', async () => {
    const text = '"😀\n'.repeat(SLICE_BYTES);
    let written = '';
    for await (const slice of new SlicedText('{"a":"', text, escapeJson, '"}').slices()) written += slice;
    expect(written === JSON.stringify({ a: text })).toBe(true);
  });

  it('yields after every slice', async () => {
    const sliced = new SlicedText('', 'x'.repeat(10 * SLICE_BYTES), escapeJson, '');
    const turns = await countTurns(async () => {
      for await (const slice of sliced.slices()) expect(slice.length).toBeLessThanOrEqual(SLICE_BYTES);
    });
    expect(turns).toBeGreaterThanOrEqual(10);
  });
});

describe('OneByOne', () => {
  it('starts each task after the previous one has ended, even when that failed', async () => {
    const events: string[] = [];
    const works = new OneByOne();
    const run = (name: string): Promise<string> =>
      works.run(async () => {
        events.push(`${name} begins`);
        await new Promise(setImmediate);
        events.push(`${name} ends`);
        if (name === 'b') throw new Error('refused');
        return name;
      });
    const outcomes = await Promise.allSettled([run('a'), run('b'), run('c')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });
});
