/** A piece of work that is under way, and the one that starts when it is done. */
interface Round<Result> {
  readonly done: Promise<void>;
  next: Promise<Result> | undefined;
}

/**
 * Lets requests for the same share one result. While a result is being made, requests wait for the next one, which
 * starts after all of them have arrived. So no request gets an older state than its own work would see.
 */
export class SharedWork<Result> {
  readonly #rounds = new Map<string, Round<Result>>();

  /** @param isShareable whether other requests may have the result; otherwise each of them does its own work */
  constructor(private readonly isShareable: (result: Result) => boolean) {}

  /** @param work gets a function that lets the next round start before this one is done */
  get(key: string, work: (release: () => void) => Promise<Result>): Promise<Result> {
    const round = this.#rounds.get(key);
    if (!round) return this.#start(key, work);
    const alone = (): Promise<Result> => work(() => undefined);
    if (round.next) return round.next.then((result) => (this.isShareable(result) ? result : alone()), alone);
    round.next = round.done.then(() => this.#start(key, work));
    return round.next;
  }

  #start(key: string, work: (release: () => void) => Promise<Result>): Promise<Result> {
    let release!: () => void;
    const done = new Promise<void>((resolve) => {
      release = resolve;
    });
    const round: Round<Result> = { done, next: undefined };
    this.#rounds.set(key, round);
    void done.then(() => {
      if (!round.next) this.#rounds.delete(key);
    });
    return work(release).finally(release);
  }
}
