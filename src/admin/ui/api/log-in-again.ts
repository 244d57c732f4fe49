import { NotLoggedIn } from './problem.js';

/**
 * Asks the person to log in again while what they were doing waits. All requests that meet an ended session wait for
 * the one answer; the dialog (session/log-in-again-dialog.tsx) gives it.
 */
export class LogInAgain {
  readonly #listeners = new Set<() => void>();
  #asked:
    { readonly answer: Promise<void>; resolve: () => void; reject: (reason: Error) => void } | undefined;

  get isAsked(): boolean {
    return this.#asked !== undefined;
  }

  /** Resolves once there is a new session. @throws NotLoggedIn when the person would rather not */
  ask(): Promise<void> {
    if (this.#asked === undefined) {
      this.#asked = withResolvers();
      this.#tell();
    }
    return this.#asked.answer;
  }

  done(): void {
    this.#asked?.resolve();
    this.#settle();
  }

  giveUp(): void {
    this.#asked?.reject(new NotLoggedIn());
    this.#settle();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #settle(): void {
    this.#asked = undefined;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function withResolvers(): { answer: Promise<void>; resolve: () => void; reject: (reason: Error) => void } {
  let resolve!: () => void;
  let reject!: (reason: Error) => void;
  const answer = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { answer, resolve, reject };
}
