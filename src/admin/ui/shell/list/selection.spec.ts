import { isNothing, isSelected, NOTHING, type Selection, withRows } from './selection.js';

const some = (...ids: number[]): Selection => ({ kind: 'some', ids: new Set(ids) });
const ALL: Selection = { kind: 'all' };

describe('the selection of a list', () => {
  it('adds and removes rows', () => {
    expect(withRows(NOTHING, [1, 2], true, [1, 2, 3])).toEqual(some(1, 2));
    expect(withRows(some(1, 2, 9), [2], false, [1, 2, 3])).toEqual(some(1, 9));
    expect(isNothing(withRows(some(1), [1], false, [1]))).toBe(true);
  });

  it('contains every row when all matches are selected', () => {
    expect(isSelected(ALL, 12)).toBe(true);
    expect(isNothing(ALL)).toBe(false);
    expect(isSelected(some(1), 12)).toBe(false);
  });

  it('becomes the rest of the page when a row is removed while all matches are selected', () => {
    expect(withRows(ALL, [2], false, [1, 2, 3])).toEqual(some(1, 3));
  });
});
