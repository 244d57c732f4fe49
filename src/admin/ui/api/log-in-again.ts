import { Observable } from './observable.js';
import { NotLoggedIn } from './problem.js';

/**
 * Asks the user to log in again while requests wait. All requests that find the session ended share one log-in, made in
 * the dialog (session/log-in.tsx).
 */
export class LogInAgain extends Observable<PromiseWithResolvers<void> | undefined> {
  constructor() {
    super(undefined);
  }

  /** Resolves when there is a new session. @throws NotLoggedIn when the user declines */
  ask(): Promise<void> {
    const question = this.get() ?? Promise.withResolvers<void>();
    this.set(question);
    return question.promise;
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
