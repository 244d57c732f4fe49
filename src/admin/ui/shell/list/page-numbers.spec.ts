import { lastPage, pageNumbers } from './page-numbers.js';

describe('the numbers of pages', () => {
  it.each([
    [1, 1, [1]],
    [1, 3, [1, 2, 3]],
    [5, 9, [1, 4, 5, 6, 9]],
    [9, 9, [1, 8, 9]],
    // Reached by Next, beyond the last page that has a number.
    [500, 401, [1, 401]],
  ])('at page %i of %i are %j', (current, last, numbers) => {
    expect(pageNumbers(current, last)).toEqual(numbers);
  });

  it.each([
    [57, 25, 3],
    [50, 25, 2],
    [1_000_000, 25, 401],
    [1_000_000, 100, 101],
  ])('of %i rows with %i on a page end at %i', (count, limit, last) => {
    expect(lastPage(count, limit)).toBe(last);
  });
});
