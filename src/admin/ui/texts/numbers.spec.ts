import { bytesText, numberText } from './numbers.js';

describe('bytesText', () => {
  it.each([
    [1_023, '1,023 bytes'],
    [1_024, '1 KiB'],
    [1_536, '1.5 KiB'],
    [1_048_575, '1 MiB'],
    [5 * 1024 ** 4, '5 TiB'],
  ])('formats %d as %s', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });
});

it('numberText separates thousands', () => {
  expect(numberText(1_234_567)).toBe('1,234,567');
});
