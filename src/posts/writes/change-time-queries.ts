import { raw, type Sql } from '../../database/sql.js';

/**
 * The time of a change that is made now, as SQL. It never precedes the time of an earlier change, even if the clock was
 * set back. Times come from the database's clock, which all instances share, and have milliseconds.
 */
export function changeTime({ changeClock }: { readonly changeClock: string }): Sql {
  return raw(
    `(SELECT max(time) FROM (SELECT ${changeClock} AS time UNION ALL SELECT modified FROM posts_counters) AS times)`,
  );
}
