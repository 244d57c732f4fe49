import { countTurns } from '../../../test/support/turns.js';
import { escapeJson, SLICE_BYTES, SlicedText, slicesOf } from './slices.js';

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
