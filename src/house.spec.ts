import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const SOURCES = import.meta.dirname;
const MAP = readFileSync(join(SOURCES, '../docs/develop/README.md'), 'utf8');

/** The rooms by height, as docs/develop/README.md draws them. */
const heights = new Map(
  /## The house[^]*?```text\n([^]*?)```/
    .exec(MAP)![1]!
    .trimEnd()
    .split('\n')
    .flatMap((line, height) => line.split(' · ').map((room) => [room, height] as const)),
);

/** The sources of the server, without its tests. */
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /(?<!\.spec|\.d)\.ts$/.test(file) && !/^admin\/ui|^openapi\/swagger-ui/.test(file),
);

/** The folder of a file; those of HTTP are rooms of their own. Undefined for what puts all of them together. */
function roomOf(file: string): string | undefined {
  const [room, inner, ...others] = file.split('/');
  if (inner === undefined) return undefined;
  return room === 'http' && others.length > 0 ? `http/${inner}` : room;
}

const imports = files.flatMap((file) => {
  const text = readFileSync(join(SOURCES, file), 'utf8');
  return [...text.matchAll(/^(?:import|export|\}) [^'"]*?from '(\.[^']+)';$|^\} from '(\.[^']+)';$/gm)].map(
    ([, first, second]) => ({
      file,
      imported: relative(SOURCES, join(SOURCES, dirname(file), (first ?? second)!)),
    }),
  );
});

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

describe('a room that can be taken out', () => {
  it.each([
    ['search', ['bootstrap/post-modules.ts', 'cli/reindex.ts']],
    ['live-changes', ['app.module.ts']],
  ])('is used by what starts it, and by its command, alone: %s', (room, users) => {
    const found = imports.filter(({ file, imported }) => roomOf(imported) === room && roomOf(file) !== room);
    expect([...new Set(found.map(({ file }) => file))]).toEqual(users);
  });
});
