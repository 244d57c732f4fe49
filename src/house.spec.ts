import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { files, imports, roomOf } from '../test/support/imports-of-src.js';

const MAP = readFileSync(join(import.meta.dirname, '../docs/develop/README.md'), 'utf8');

/** The rooms by height, as docs/develop/README.md draws them. */
const heights = new Map(
  /## The house[^]*?```text\n([^]*?)```/
    .exec(MAP)![1]!
    .trimEnd()
    .split('\n')
    .flatMap((line, height) => line.split(' · ').map((room) => [room, height] as const)),
);

describe('the map of docs/develop/README.md', () => {
  it('has every room', () => {
    const rooms = new Set(files.map(roomOf).filter((room) => room !== undefined));
    expect([...heights.keys()].toSorted()).toEqual([...rooms].toSorted());
    expect(imports.length).toBeGreaterThan(500);
  });

  it('has every imported room above the one that imports it', () => {
    const upward = imports.filter(({ file, imported }) => {
      const [from, to] = [roomOf(file), roomOf(imported)];
      return from !== undefined && to !== undefined && from !== to && heights.get(to)! >= heights.get(from)!;
    });
    expect(upward).toEqual([]);
  });
});
