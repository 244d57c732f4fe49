import type { Answer } from './answer.js';

/** Tells whether anything that is stored was changed, by whomever. */
export interface ChangeDetector {
  /** As long as the token is the same, nothing was changed. Undefined when there is no telling at the moment. */
  changeToken(): number | undefined;
}

/** Longer bodies are rarer, and take longer to send than to make. */
const MAX_BODY_LENGTH = 64 * 1024;
/** All the bodies together, in UTF-16 units: some tens of MiB at the most. */
const MAX_TOTAL_LENGTH = 16 * 1024 * 1024;

/**
 * Answers that were given before, to be given again while nothing that is stored has changed.
 *
 * Nothing in it can be stale: an answer is kept under the token that was read before its data was, and is given only
 * while the token is still that one. So it holds for every way of writing, other processes included.
 */
export class AnswerCache {
  readonly #answers = new Map<string, Answer>();
  #token: number | undefined;
  #totalLength = 0;

  constructor(private readonly changes: ChangeDetector) {}

  /** The token under which an answer that is made from now on may be kept; what was kept under another is dropped. */
  begin(): number | undefined {
    const token = this.changes.changeToken();
    if (token !== undefined && token !== this.#token) {
      this.#clear();
      this.#token = token;
    }
    return token;
  }

  /** To be asked right after {@link begin} has said a token. */
  find(key: string): Answer | undefined {
    return this.#answers.get(key);
  }

  /** @param token what {@link begin} said before the answer's data was read */
  keep(key: string, answer: Answer, token: number): void {
    const length = key.length + (answer.body?.length ?? 0);
    if (token !== this.#token || length > MAX_BODY_LENGTH || this.#answers.has(key)) return;
    if (this.#totalLength + length > MAX_TOTAL_LENGTH) this.#clear();
    this.#answers.set(key, answer);
    this.#totalLength += length;
  }

  #clear(): void {
    this.#answers.clear();
    this.#totalLength = 0;
  }
}
