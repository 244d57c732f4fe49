import type { Answer } from './answer.js';

/** To be called as soon as an answer is there, or it is clear that there is none to be shared; the first call counts. */
export type Done = (answer: Answer | undefined) => void;

/**
 * Answers that several requests ask for at the same time are made once.
 *
 * Nobody is given an older state than by an answer of their own: while one is being made, those who ask for the same wait
 * for the next one, which is begun after all of them have asked.
 */
export class SharedAnswers<Asker> {
  /** By the key of an answer that is being made: those who have asked since it was begun. */
  readonly #waiting = new Map<string, Asker[]>();

  constructor(
    /** Has the answer made for one who asks. */
    private readonly make: (asker: Asker, done: Done) => void,
    /** Gives one who asks an answer that was made for another. */
    private readonly give: (asker: Asker, answer: Answer) => void,
  ) {}

  /** @param key says all that an answer may depend on, besides what is stored */
  ask(key: string, asker: Asker): void {
    const waiting = this.#waiting.get(key);
    if (waiting) waiting.push(asker);
    else this.#make(key, asker, []);
  }

  #make(key: string, first: Asker, others: Asker[]): void {
    const waiting: Asker[] = [];
    this.#waiting.set(key, waiting);
    let isDone = false;
    this.make(first, (answer) => {
      if (isDone) return;
      isDone = true;
      this.#waiting.delete(key);
      // Emptied, because what was asked first, and the `Map`, may refer to them for a while; see roster.ts.
      const [next, ...more] = waiting.splice(0);
      if (next) this.#make(key, next, more);
      for (const other of others.splice(0)) {
        if (answer) this.give(other, answer);
        // What cannot be shared, such as a fault or a stream, each finds out for itself.
        else this.make(other, () => {});
      }
    });
  }
}
