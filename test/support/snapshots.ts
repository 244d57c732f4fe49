import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';
import type { Service } from './service.js';

/** Far longer than this process needs between two queries. It shares its time with the service. */
const LOOK_MS = 100;

/** What becomes of a query on a snapshot. */
type Fate = 'answered' | 'failed' | 'slow';

/** The snapshots of a service, and the queries on them. */
export interface SeenSnapshots {
  open: number;
  queries: number;
  /** Queries that have not ended. */
  pending: number;
  /** Slow queries that run. */
  running: number;
  /** Decides about the next query, which has this number. */
  fateOf: (query: number) => Fate;
}

/** Watches the snapshots until `jest.restoreAllMocks`. A slow query ends only when it is cancelled, or at the timeout. */
export function watchSnapshots(
  service: Service,
  fateOf: SeenSnapshots['fateOf'] = () => 'answered',
): SeenSnapshots {
  const database = service.app.get(Database);
  const slowQuery =
    database.dialect.name === 'sqlite'
      ? sql`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT count(*) FROM numbers`
      : sql`SELECT count(*) FROM generate_series(1, 1000000000000)`;
  const seen: SeenSnapshots = { open: 0, queries: 0, pending: 0, running: 0, fateOf };
  const original = database.snapshot.bind(database);
  jest.spyOn(database, 'snapshot').mockImplementation(async (around = (query) => query(), onClose?) => {
    let isSlow = false;
    // A query that waits for its turn does not run yet.
    const snapshot = await original(
      (query) =>
        around(() => {
          if (!isSlow) return query();
          seen.running += 1;
          return query().finally(() => (seen.running -= 1));
        }),
      () => {
        seen.open -= 1;
        onClose?.();
      },
    );
    seen.open += 1;
    const all = snapshot.all.bind(snapshot);
    snapshot.all = (query, values) => {
      seen.queries += 1;
      const fate = seen.fateOf(seen.queries);
      if (fate === 'failed') return Promise.reject(new Error('The disk is on fire.'));
      isSlow = fate === 'slow';
      seen.pending += 1;
      const rows = isSlow ? (all(slowQuery) as Promise<never>) : all(query, values);
      return rows.finally(() => (seen.pending -= 1));
    };
    return snapshot;
  });
  return seen;
}

/** Waits until the service asks for no more rows, although it has those that it asked for: its client does not read. */
export async function untilReadingStops(seen: SeenSnapshots): Promise<void> {
  let before: number;
  do {
    before = seen.queries;
    await sleep(LOOK_MS);
  } while (seen.queries > before || seen.pending > 0);
}
