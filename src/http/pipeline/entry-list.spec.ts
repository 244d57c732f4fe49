import { EntryList } from './entry-list.js';

describe('EntryList', () => {
  it('contains added entries until they are removed, in any order', () => {
    const entryList = new EntryList<string>();
    const entries = ['0', '1', '2', '3', '4'].map((item) => entryList.add(item));
    for (const gone of [1, 4, 0]) entryList.remove(entries[gone]!);
    expect(entryList.items().toSorted()).toEqual(['2', '3']);
    const late = entryList.add('5');
    entryList.remove(entries[2]!);
    entryList.remove(entries[3]!);
    expect(entryList.items()).toEqual(['5']);
    expect(entryList.size).toBe(1);
    entryList.remove(late);
    expect(entryList.size).toBe(0);
  });

  it('ignores a second removal of the same entry', () => {
    const entryList = new EntryList<string>();
    const entry = entryList.add('a');
    entryList.remove(entry);
    entryList.add('b');
    entryList.remove(entry);
    expect(entryList.items()).toEqual(['b']);
  });
});
