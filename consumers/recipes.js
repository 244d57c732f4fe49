import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const RECIPES = join(import.meta.dirname, '../docs/api/recipes.md');
/** The URL of the service in the recipes. */
export const DOCUMENTED_URL = 'http://127.0.0.1:3000';

/**
 * The programs in docs/api/recipes.md: every fenced block except `sh`, which is about other programs.
 *
 * @returns {{ name: string, language: string, source: string }[]}
 */
export function readRecipes() {
  const text = readFileSync(RECIPES, 'utf8');
  const recipes = [];
  let section = '';
  for (const [, heading, language = '', source = ''] of text.matchAll(
    /^## (.*)$|^```(\w+)\n([\s\S]*?)^```$/gm,
  )) {
    if (heading !== undefined) section = heading.toLowerCase().replaceAll(' ', '-');
    else if (language !== 'sh') recipes.push({ name: `${section}.${language}`, language, source });
  }
  return recipes;
}
