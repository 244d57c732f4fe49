import { exportPath, readExportSelection } from './export-selection.js';

describe('the address of an export', () => {
  it.each([
    [{}, '/export'],
    [{ search: 'a b', pub_date_after: '2026-01-01' }, '/export?search=a+b&pub_date_after=2026-01-01'],
    [{ id: '3,4' }, '/export#id=3,4'],
  ])('of %j is %j, and says the same again', (selection, path) => {
    expect(exportPath(selection)).toBe(path);
    const { search, hash } = new URL(path, 'http://127.0.0.1');
    const { ids, filter, isBroken } = readExportSelection(search, hash);
    expect({ ...filter, ...(ids && { id: ids.join(',') }), isBroken }).toEqual({
      ...selection,
      isBroken: false,
    });
  });

  it('of a single post, as earlier versions made it, has its id', () => {
    expect(readExportSelection('?id=7', '')).toEqual({ ids: [7], filter: {}, isBroken: false });
  });

  it.each(['#id=', '#id=all', '#id=3,', '#id=3,x', '#id=0', '#3,4', '#ids=3'])(
    'with %s means some posts, and never all',
    (hash) => {
      expect(readExportSelection('', hash).isBroken).toBe(true);
    },
  );
});
