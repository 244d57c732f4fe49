import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const SOURCES = join(import.meta.dirname, '../../src');

/** The sources of the server, without its tests, as paths below `src/`. */
export const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /(?<!\.spec|\.d)\.ts$/.test(file) && !/^admin\/ui|^openapi\/swagger-ui/.test(file),
);

/** The folder of a file; those of HTTP are rooms of their own. Undefined for what puts all of them together. */
export function roomOf(file: string): string | undefined {
  const [room, inner, ...others] = file.split('/');
  if (inner === undefined) return undefined;
  return room === 'http' && others.length > 0 ? `http/${inner}` : room;
}

/** Which file imports which. */
export const imports = files.flatMap((file) => {
  const text = readFileSync(join(SOURCES, file), 'utf8');
  return [...text.matchAll(/^(?:import|export|\}) [^'"]*?from '(\.[^']+)';$|^\} from '(\.[^']+)';$/gm)].map(
    ([, first, second]) => ({
      file,
      imported: relative(SOURCES, join(SOURCES, dirname(file), (first ?? second)!)),
    }),
  );
});

/** The files of other rooms that import a room: what must change when it is taken out. */
export function usersOf(room: string): string[] {
  const found = imports.filter(({ file, imported }) => roomOf(imported) === room && roomOf(file) !== room);
  return [...new Set(found.map(({ file }) => file))];
}
