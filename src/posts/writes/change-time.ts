/** What a dialect says of the clock. */
interface Clock {
  readonly changeClock: string;
}

/** What the time of a change ends with when the one before it was in the same second. */
const MARK = '001Z';

/**
 * The time of a change that is made now, in SQL: not before that of any other, even if the clock was set back.
 *
 * Times are of the database's clock, which all instances share, and have milliseconds. HTTP dates have whole seconds, so
 * a time carries a mark in its last digits when the change before it was in the same second: a date does not tell the two
 * apart, and so is no proof that a client knows the later one.
 */
export function changeTime({ changeClock }: Clock): string {
  return `(SELECT max(time) FROM (SELECT ${changeClock} AS time UNION ALL SELECT modified FROM posts_counters) AS times)`;
}

/** The same of a change that follows another. @param before an expression for the time of that */
export function nextChangeTime(clock: Clock, before: string): string {
  return (
    `(SELECT CASE WHEN substr(time, 1, 19) = substr(${before}, 1, 19) THEN ${marked('time')} ELSE time END ` +
    `FROM (SELECT ${changeTime(clock)} AS time) AS latest)`
  );
}

/** With the mark, in SQL. */
export function marked(time: string): string {
  return `substr(${time}, 1, 23) || '${MARK}'`;
}

/** Whether the time has the mark. */
export function isMarked(time: string): boolean {
  return time.endsWith(MARK);
}
