/** Adds up how often something was done, and how long it took. */
export class Stopwatch {
  count = 0;
  milliseconds = 0;

  /** @param startedAt when it began, by `performance.now()` */
  stop(startedAt: number): void {
    this.count += 1;
    this.milliseconds += performance.now() - startedAt;
  }
}

/** What the database was and is busy with, for those who operate the service. */
export interface DatabaseActivity {
  /** Queries of the reader, and the time they took, waiting for a connection included. */
  readonly reads: Readonly<Stopwatch>;
  /** Writes, from the moment they were asked for until they were durable or refused. */
  readonly writes: Readonly<Stopwatch>;
  /** How many writes wait for their turn. */
  readonly waitingWrites: () => number;
}
