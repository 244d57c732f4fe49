import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {object} Catalogue what a room exports in its `statement-catalogue`
 * @property {(dialect: any) => readonly { name: string, query: any, values: any }[]} statementCatalogue
 * @property {Readonly<Record<string, readonly string[]>>} [rowsForPlans] fills its tables, by the database
 */

/**
 * The catalogues of all rooms that have one, by the names of the rooms.
 *
 * @param {string} sources the folder `src`, or that of its build
 * @returns {Promise<Catalogue[]>}
 */
export async function readCatalogues(sources) {
  const files = (await readdir(sources, { recursive: true })).filter((file) =>
    /(^|[\\/])statement-catalogue\.[jt]s$/.test(file),
  );
  return Promise.all(files.toSorted().map((file) => import(pathToFileURL(join(sources, file)).href)));
}

/** Without the indentation of the source code, and blanks at the end of lines. @param {string} text */
export function dedented(text) {
  const lines = text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const common = Math.min(...lines.slice(1).map((line) => line.search(/\S/)), 99);
  return lines.map((line, index) => (index === 0 ? line.trimStart() : line.slice(common))).join('\n');
}

/**
 * The text of docs/develop/statements.md.
 *
 * @param {readonly { version: string, statements: readonly { name: string, text: string, plan: string }[] }[]} databases
 * @param {number} posts
 */
export function statementsPage(databases, posts) {
  const sections = databases.map(
    ({ version, statements }) =>
      `## ${version}\n\n${statements
        .map(
          ({ name, text, plan }) =>
            `### ${name}\n\n\`\`\`sql\n${dedented(text)}\n\`\`\`\n\n\`\`\`text\n${plan}\n\`\`\`\n`,
        )
        .join('\n')}`,
  );
  return `# Statements

The statements of each room that has a \`statement-catalogue.ts\`, such as [that of posts](../../src/posts/statement-catalogue.ts), as
the databases get them, each with its plan at ${posts.toLocaleString('en')} posts. \`npm run sql\` writes this page; a test compares the
statements. Look at both when you change a statement.

${sections.join('\n')}`;
}
