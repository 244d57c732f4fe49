import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const RECIPES = join(import.meta.dirname, '../docs/recipes.md');
/** Where recipes find the service, until they are told better. */
export const DOCUMENTED_URL = 'http://127.0.0.1:3000';

/**
 * The programs in docs/recipes.md: each fenced block but those in `sh`, which are about other programs.
 *
 * @returns {{ name: string, language: string, source: string }[]}
 */
export function readRecipes() {
  const text = readFileSync(RECIPES, 'utf8');
  const recipes = [];
  let section = '';
  for (const [, heading, language, source] of text.matchAll(/^## (.*)$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (heading !== undefined) section = heading.toLowerCase().replaceAll(' ', '-');
    else if (language !== 'sh') recipes.push({ name: `${section}.${language}`, language, source });
  }
  return recipes;
}

/** Writes those in TypeScript where the compiler finds them: they are held to its strictest. */
export function writeTypeScriptRecipes(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, language, source } of readRecipes())
    if (language === 'ts') writeFileSync(join(folder, name), `${source}\nexport {};\n`);
}
