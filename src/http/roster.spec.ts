import { Roster } from './roster.js';

describe('Roster', () => {
  it('holds what was added and not removed, in whatever order that happens', () => {
    const roster = new Roster<string>();
    const entries = ['0', '1', '2', '3', '4'].map((item) => roster.add(item));
    for (const gone of [1, 4, 0]) roster.remove(entries[gone]!);
    expect(roster.items().toSorted()).toEqual(['2', '3']);
    const late = roster.add('5');
    roster.remove(entries[2]!);
    roster.remove(entries[3]!);
    expect(roster.items()).toEqual(['5']);
    expect(roster.size).toBe(1);
    roster.remove(late);
    expect(roster.size).toBe(0);
  });

  it('lets the same be removed twice, to the loss of no other', () => {
    const roster = new Roster<string>();
    const entry = roster.add('a');
    roster.remove(entry);
    roster.add('b');
    roster.remove(entry);
    expect(roster.items()).toEqual(['b']);
  });
});
