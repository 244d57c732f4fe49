import { monthRange, periodOf, yearRange } from './calendar.js';
import { DEFAULT_VIEW, filterOf, readView } from './list-view.js';

const ZONE = 'America/New_York';
const read = (query: string): unknown => readView(new URLSearchParams(query));

describe("the list's view in the address", () => {
  it.each(['ordering=body&limit=7', 'ordering=--id&limit=x'])('is the default for the query %j', (query) => {
    expect(read(query)).toEqual(DEFAULT_VIEW);
  });

  it('always has the title column, and keeps the column order', () => {
    expect(read('columns=excerpt,id,bogus')).toMatchObject({ columns: ['id', 'title', 'excerpt'] });
  });
});

describe('filterOf', () => {
  it('leaves out empty values, invalid days, and an end on 9999-12-31', () => {
    expect(filterOf({ search: '  ', from: '2026-02-30', to: '9999-12-31' }, ZONE)).toEqual({});
  });

  it('reads a number after # as the id of a post', () => {
    expect(filterOf({ search: ' #5002', from: '2026-01-31', to: '' }, ZONE)).toEqual({ id: '5002' });
    expect(filterOf({ search: '#0', from: '', to: '' }, ZONE)).toEqual({ search: '#0' });
  });
});

describe('the calendar', () => {
  it('computes the last day of February', () => {
    expect(monthRange('2026-02')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    expect(monthRange('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  });

  it('finds the year and month that a range covers', () => {
    expect(periodOf(monthRange('2026-11'))).toEqual({ year: '2026', month: '2026-11' });
    expect(periodOf(yearRange('2026'))).toEqual({ year: '2026' });
    expect(periodOf({ from: '2025-12-31', to: '2026-01-01' })).toEqual({});
    expect(periodOf({ from: '2026-01-01', to: '' })).toEqual({});
  });
});
