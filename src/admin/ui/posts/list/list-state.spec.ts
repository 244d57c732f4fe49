import { dayAfter, isDay, monthRange, periodOf, yearRange } from './calendar.js';
import {
  changeState,
  DEFAULT_STATE,
  filterOf,
  isFiltered,
  type ListState,
  readState,
  writeState,
} from './list-state.js';

const read = (query: string): ListState => readState(new URLSearchParams(query));

describe("the list's state in the URL", () => {
  const elaborate: ListState = {
    search: '50 % & more ',
    from: '2026-11-01',
    to: '2026-11-30',
    sort: { field: 'title', order: 'ASC' },
    limit: 100,
    cursor: 'eyJ+/=',
    columns: ['id', 'title'],
  };

  it('comes back as it was written', () => {
    expect(read(writeState(elaborate).toString())).toEqual(elaborate);
    expect(read(writeState(DEFAULT_STATE).toString())).toEqual(DEFAULT_STATE);
  });

  it('leaves out what is as by default', () => {
    expect(writeState(DEFAULT_STATE).toString()).toBe('');
    expect(writeState({ ...DEFAULT_STATE, sort: { field: 'id', order: 'DESC' } }).toString()).toBe(
      'ordering=-id',
    );
  });

  it.each([
    'ordering=body',
    'ordering=--id',
    'limit=7',
    'limit=x',
    'from=2026-02-30',
    'to=tomorrow',
    'cursor=',
    'what=ever',
  ])('is the default where the URL says %j', (query) => {
    expect(read(query)).toEqual(DEFAULT_STATE);
  });

  it('keeps the title among the columns, in their order', () => {
    expect(read('columns=excerpt,id,bogus').columns).toEqual(['id', 'title', 'excerpt']);
    expect(read('columns=').columns).toEqual(['title']);
  });

  it('starts at the first page of another list, and stays on the page when columns change', () => {
    expect(changeState(elaborate, { search: 'x' }).cursor).toBeUndefined();
    expect(changeState(elaborate, { limit: 10 }).cursor).toBeUndefined();
    expect(changeState(elaborate, { columns: ['title'] }).cursor).toBe('eyJ+/=');
    expect(changeState(elaborate, { cursor: 'next' }).cursor).toBe('next');
  });
});

describe('filterOf', () => {
  it('asks for the days from the first to the end of the last', () => {
    expect(filterOf({ search: 'a', from: '2026-11-01', to: '2026-12-31' })).toEqual({
      search: 'a',
      pub_date_after: '2026-11-01',
      pub_date_before: '2027-01-01',
    });
  });

  it('leaves out what is empty, and an end that is the end of the calendar', () => {
    expect(filterOf({ search: '  ', from: '', to: '9999-12-31' })).toEqual({});
    expect(isFiltered(DEFAULT_STATE)).toBe(false);
    expect(isFiltered({ ...DEFAULT_STATE, from: '0001-01-01' })).toBe(true);
  });
});

describe('the calendar', () => {
  it('knows how long a month is', () => {
    expect(monthRange('2026-02')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    expect(monthRange('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
    expect(monthRange('0099-12')).toEqual({ from: '0099-12-01', to: '0099-12-31' });
    expect(yearRange('0001')).toEqual({ from: '0001-01-01', to: '0001-12-31' });
  });

  it('finds the year and month that a range lies in', () => {
    expect(periodOf(monthRange('2026-11'))).toEqual({ year: '2026', month: '2026-11' });
    expect(periodOf(yearRange('2026'))).toEqual({ year: '2026' });
    expect(periodOf({ from: '2025-12-31', to: '2026-01-01' })).toEqual({});
    expect(periodOf({ from: '2026-01-01', to: '' })).toEqual({});
  });

  it('goes on to the next day over months, leap days and years', () => {
    expect(['2026-02-28', '2028-02-28', '0099-12-31', '9999-12-31'].map(dayAfter)).toEqual([
      '2026-03-01',
      '2028-02-29',
      '0100-01-01',
      undefined,
    ]);
  });

  it('tells days from what only looks like one', () => {
    expect(['2026-02-28', '2026-02-29', '2026-13-01', '26-01-01', ''].map(isDay)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
