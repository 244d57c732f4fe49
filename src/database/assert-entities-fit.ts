import type { DataSource } from 'typeorm';
import { StartFault } from '../settings/settings.js';

const COLUMNS: Readonly<Record<string, string>> = {
  sqlite: `
    SELECT tables.name || '.' || columns.name AS name
    FROM sqlite_master tables JOIN pragma_table_info(tables.name) columns WHERE tables.type = 'table'`,
  postgres: `
    SELECT table_name || '.' || column_name AS name
    FROM information_schema.columns WHERE table_schema = current_schema()`,
};

/**
 * Checks that the schema has every column of the entities. Without this, a service that lacks a migration would start, and
 * fail at the first query.
 *
 * @throws StartFault
 */
export async function assertEntitiesFit(dataSource: DataSource): Promise<void> {
  const { options, entityMetadatas } = dataSource;
  const rows = await dataSource.query<{ name: string }[]>(COLUMNS[options.type]!);
  const found = new Set(rows.map(({ name }) => name));
  for (const { name, tableName, columns } of entityMetadatas) {
    const missing = columns.find(({ databaseName }) => !found.has(`${tableName}.${databaseName}`));
    if (missing)
      throw new StartFault(
        `The schema lacks the column ${tableName}.${missing.databaseName} of the entity ${name}: a migration is missing.`,
      );
  }
}
