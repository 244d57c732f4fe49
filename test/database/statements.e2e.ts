import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dedented, readCatalogues } from '../../scripts/statements-page.js';
import { Database } from '../../src/database/database.js';
import { POST_COLUMNS } from '../../src/posts/posts.sql.js';
import { Post } from '../../src/posts/post.entity.js';
import { startService } from '../support/service.js';

const service = await startService();
const database = service.app.get(Database);
const catalogues = await readCatalogues(join(import.meta.dirname, '../../src'));
const statements = catalogues.flatMap((each) => each.statementCatalogue(database.dialect));

describe('docs/develop/statements.md', () => {
  const page = readFileSync('docs/develop/statements.md', 'utf8');
  const heading = { sqlite: '## SQLite', postgres: '## PostgreSQL' }[database.dialect.name];
  const section = page.split(/^(?=## )/m).find((part) => part.startsWith(heading))!;

  it('has the statements that this version sends: otherwise, run `npm run sql`', () => {
    const written = Array.from(section.matchAll(/^### (.+)\n\n```sql\n([^]*?)\n```/gm), ([, name, text]) => [
      name,
      text,
    ]);
    const sent = statements.map(({ name, query }) => [name, dedented(query.text)]);
    expect(written).toEqual(sent);
  });
});

describe('the statements of posts', () => {
  it('name the columns of the entity', () => {
    const { columns } = database.reader.manager.connection.getMetadata(Post);
    const names = columns.map(({ propertyName, databaseName }) => [propertyName, `post.${databaseName}`]);
    expect(Object.fromEntries(names)).toEqual(
      Object.fromEntries(Object.entries(POST_COLUMNS).map(([property, { text }]) => [property, text])),
    );
  });

  it('run', async () => {
    for (const { query, values } of statements) if (query.isRead) await database.reader.all(query, values);
  });
});
