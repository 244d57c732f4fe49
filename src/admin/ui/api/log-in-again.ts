import { Observable } from './observable.js';
import { NotLoggedIn } from './problem.js';

interface Question {
  readonly answer: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/**
 * Asks the user to log in again while requests wait. All requests that find the session ended share one log-in, made in
 * the dialog (session/log-in.tsx).
 */
export class LogInAgain extends Observable<Question | undefined> {
  constructor() {
    super(undefined);
  }

  /** Resolves when there is a new session. @throws NotLoggedIn when the user declines */
  ask(): Promise<void> {
    const question = this.get() ?? withResolvers();
    this.set(question);
    return question.answer;
  }

  done(): void {
    this.get()?.resolve();
    this.set(undefined);
  }

  giveUp(): void {
    this.get()?.reject(new NotLoggedIn());
    this.set(undefined);
  }
}

function withResolvers(): Question {
  let resolve!: () => void;
  let reject!: (reason: Error) => void;
  const answer = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { answer, resolve, reject };
}
