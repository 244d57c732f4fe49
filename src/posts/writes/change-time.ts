/** The part of a dialect that reads the clock. */
interface Clock {
  readonly changeClock: string;
}

/** The suffix of a time of change when the previous change was in the same second. */
const MARK = '001Z';

/**
 * The time of a change that is made now, as SQL. It never precedes the time of an earlier change, even if the clock was
 * set back.
 *
 * Times come from the database's clock, which all instances share, and have milliseconds. HTTP dates have whole
 * seconds. When the previous change was in the same second, the time carries a mark in its last digits: an HTTP date
 * cannot distinguish the two changes, so it does not prove that a client has seen the later one.
 */
export function changeTime({ changeClock }: Clock): string {
  return `(SELECT max(time) FROM (SELECT ${changeClock} AS time UNION ALL SELECT modified FROM posts_counters) AS times)`;
}

/**
 * The time of a change that follows another one, as SQL.
 *
 * @param before an expression for the time of the earlier change
 */
export function nextChangeTime(clock: Clock, before: string): string {
  return (
    `(SELECT CASE WHEN substr(time, 1, 19) = substr(${before}, 1, 19) THEN ${marked('time')} ELSE time END ` +
    `FROM (SELECT ${changeTime(clock)} AS time) AS latest)`
  );
}

/** The time with the mark, as SQL. */
export function marked(time: string): string {
  return `substr(${time}, 1, 23) || '${MARK}'`;
}

export function isMarked(time: string): boolean {
  return time.endsWith(MARK);
}
