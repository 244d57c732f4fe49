import { titleLength } from './title-length.js';

describe('titleLength', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['😀'.repeat(200), 200],
    ['e\u0301', 2],
    ['\ud83d', 1],
  ])('counts code points in %j', (title, length) => {
    expect(titleLength(title)).toBe(length);
  });
});
