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

The statements of single posts, of lists, of the history and of the search, as the databases get them, each with its plan at
${posts.toLocaleString('en')} posts. \`npm run sql\` writes this page; a test compares the statements. Look at both when you change a
statement: [\`posts.sql.ts\`](../../src/posts/posts.sql.ts),
[\`post-revisions.sql.ts\`](../../src/history/post-revisions.sql.ts) and
[\`search-queries.ts\`](../../src/search/search-queries.ts) have them.

${sections.join('\n')}`;
}
