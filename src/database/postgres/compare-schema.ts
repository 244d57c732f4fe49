import type { DataSource, QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../migrations.js';

/** A schema that exists only in the transaction that creates it. */
const REFERENCE = 'posts_service_reference';

/** Describes every object of the schema `$1` as text, without the schema's name. */
const OBJECTS = `
  SELECT DISTINCT replace(replace(object, quote_ident($1) || '.', ''), $1 || '.', '') AS object FROM (
    SELECT concat_ws(' ', 'column', table_name || '.' || column_name, data_type, is_nullable, column_default, collation_name, is_identity)
      FROM information_schema.columns WHERE table_schema = $1
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = $1
    UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND NOT t.tgisinternal
    UNION ALL SELECT 'rule ' || rulename || ' on ' || tablename FROM pg_rules WHERE schemaname = $1
    UNION ALL SELECT 'function ' || proname || ' ' || prosrc FROM pg_proc p
      JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = $1
  ) AS all_objects (object)
  WHERE object NOT LIKE 'column migrations.%' AND object NOT LIKE '%migrations%USING btree%'
`;

/**
 * Compares the schema with the one that our migrations create, in a transaction that is rolled back. @returns the
 * differences
 */
export async function comparePostgresSchema(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    const schema = (await runner.getCurrentSchema())!;
    await runner.query('BEGIN');
    try {
      await runner.query(`CREATE SCHEMA ${REFERENCE}`);
      await runner.query(`SET LOCAL search_path = ${REFERENCE}`);
      for (const Migration of MIGRATIONS) await new Migration().up(runner);
      const expected = await objectsOf(runner, REFERENCE);
      const found = await objectsOf(runner, schema);
      return [
        ...found.filter((each) => !expected.includes(each)).map((each) => `not of the service: ${each}`),
        ...expected.filter((each) => !found.includes(each)).map((each) => `missing: ${each}`),
      ];
    } finally {
      await runner.query('ROLLBACK');
    }
  } finally {
    await runner.release();
  }
}

async function objectsOf(runner: QueryRunner, schema: string): Promise<string[]> {
  const rows = (await runner.query(OBJECTS, [schema])) as { object: string }[];
  return rows.map(({ object }) => object.replaceAll(/\s+/g, ' '));
}
