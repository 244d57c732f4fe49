import type { DataSource } from 'typeorm';
import { MIGRATIONS, schemaDifferences, type SchemaObject } from '../migrations.js';

/** A schema that exists only in the transaction that creates it. */
const REFERENCE = 'posts_service_reference';

/** Describes every object of the schema `$1`, without the schema's name. */
const OBJECTS = `
  SELECT name, replace(replace(definition, quote_ident($1) || '.', ''), $1 || '.', '') AS definition FROM (
    SELECT 'column ' || table_name || '.' || column_name,
        concat_ws(' ', data_type, is_nullable, column_default, collation_name, is_identity)
      FROM information_schema.columns WHERE table_schema = $1 AND table_name <> 'migrations'
    UNION ALL SELECT 'index ' || indexname, indexdef FROM pg_indexes
      WHERE schemaname = $1 AND tablename <> 'migrations'
    UNION ALL SELECT 'trigger ' || tgname || ' on ' || relname, pg_get_triggerdef(t.oid)
      FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
      WHERE relnamespace = to_regnamespace(quote_ident($1)) AND NOT tgisinternal
    UNION ALL SELECT 'rule ' || rulename || ' on ' || tablename, definition FROM pg_rules WHERE schemaname = $1
    UNION ALL SELECT 'function ' || proname || '(' || pg_get_function_identity_arguments(oid) || ')', prosrc
      FROM pg_proc WHERE pronamespace = to_regnamespace(quote_ident($1))
  ) AS objects (name, definition)
`;

/**
 * Compares the schema with the one that our migrations create, in a transaction that is rolled back. @returns the
 * differences
 */
export async function comparePostgresSchema(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  const objectsOf = (schema: string): Promise<SchemaObject[]> => runner.query(OBJECTS, [schema]);
  try {
    const found = await objectsOf((await runner.getCurrentSchema())!);
    await runner.query('BEGIN');
    try {
      await runner.query(`CREATE SCHEMA ${REFERENCE}`);
      await runner.query(`SET LOCAL search_path = ${REFERENCE}`);
      for (const Migration of MIGRATIONS) await new Migration().up(runner);
      return schemaDifferences(await objectsOf(REFERENCE), found);
    } finally {
      await runner.query('ROLLBACK');
    }
  } finally {
    await runner.release();
  }
}
