import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Written by scripts/bundle.js: places such as `src/main.ts:7` by the line of the bundle. The bundle's whole source map
 * would take 0.5 s and 80 MiB to read.
 */
const FILE = join(import.meta.dirname, 'service.lines.json');

let places: Readonly<Record<string, string>> | undefined;

/** Names the lines of `src/` in a stack, in place of those of the bundle. Lines of packages stay as they are. */
export function withSourceLines(stack: string): string {
  return stack.replace(/[^\s()]*\bservice\.cjs:(\d+):\d+/g, (place: string, line: string) => {
    // Read at the first error, so that a start does not pay for it.
    places ??= existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>) : {};
    return places[line] ?? place;
  });
}
