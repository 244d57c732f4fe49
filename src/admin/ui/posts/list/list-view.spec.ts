import { DEFAULT_VIEW, filterOf, readView } from './list-view.js';

const ZONE = 'America/New_York';
const read = (query: string): unknown => readView(new URLSearchParams(query));

describe("the list's view in the address", () => {
  it.each(['ordering=body&limit=7', 'ordering=--id&limit=x'])('is the default for the query %j', (query) => {
    expect(read(query)).toEqual(DEFAULT_VIEW);
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
