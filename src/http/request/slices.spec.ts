import { SLICE_BYTES, slicesOf } from './slices.js';

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
