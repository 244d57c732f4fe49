import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The high half of the keys of the locks that show running writes: "post" in ASCII. */
const RUNNING_WRITES = 0x706f7374;
const TIME_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"000Z"';

const EARLIEST_WRITE = `
  SELECT to_char(to_timestamp(min(CAST(objid AS bigint))) AT TIME ZONE 'UTC', '${TIME_FORMAT}')
  FROM pg_locks
  WHERE locktype = 'advisory' AND classid = ${RUNNING_WRITES} AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const NOW = `to_char(statement_timestamp() AT TIME ZONE 'UTC', '${TIME_FORMAT}')`;

const horizon = (earliestWrite: string): string =>
  `CREATE OR REPLACE FUNCTION "posts_horizon"() RETURNS text LANGUAGE sql VOLATILE AS $$
     SELECT coalesce(${earliestWrite}, ${NOW})
   $$`;

/**
 * `posts_horizon()` looked at the locks of running writes only where a snapshot listed a running transaction. But a
 * snapshot does not list one whose number is greater than that of every finished transaction. If one with a smaller
 * number had read the clock later and was committed, the horizon was too late for the running one, and streams of changes
 * and copies missed its change.
 */
export class SeeAllRunningWrites1764010000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.connection.options.type === 'postgres')
      await queryRunner.query(horizon(`(${EARLIEST_WRITE})`));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.connection.options.type === 'postgres')
      await queryRunner.query(
        horizon(
          `CASE WHEN EXISTS (SELECT FROM pg_snapshot_xip(pg_current_snapshot())) THEN (${EARLIEST_WRITE}) END`,
        ),
      );
  }
}
