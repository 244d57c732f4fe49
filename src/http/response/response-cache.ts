import type { Representation } from '../pipeline/route-table.js';
import type { ApiResponse } from './api-response.js';

/** Tells whether anything that is stored was changed, by whomever. */
export interface ChangeDetector {
  /** As long as the token is the same, nothing was changed. Undefined when there is no telling at the moment. */
  changeToken(): number | undefined;
}

/** Longer answers are rarer, and take longer to send than to make. */
const MAX_LENGTH = 64 * 1024;
/** All of them together, in UTF-16 units: some tens of MiB at the most. */
const MAX_TOTAL_LENGTH = 16 * 1024 * 1024;
/** Of one target; they are looked through one by one. */
const MAX_VARIANTS = 16;

/** All of a request that its response may depend on, besides what is stored. */
export interface CacheKey {
  /** The path and the query. */
  readonly target: string;
  /** Where links start. */
  readonly baseUrl: string;
  readonly representation: Representation;
  /** The field `Prefer`; empty when there is none. */
  readonly preference: string;
}

interface CachedResponse {
  readonly cacheKey: CacheKey;
  readonly response: ApiResponse;
}

/**
 * Answers that were given before, to be given again while nothing that is stored has changed.
 *
 * Nothing in it can be stale: a response is kept under the token that was read before its data was, and is given only
 * while the token is still that one. So it holds for every way of writing, other processes included.
 */
export class ResponseCache {
  /** By the target, whose text is short and new with every request, so that no longer key has to be made and hashed. */
  readonly #responses = new Map<string, CachedResponse[]>();
  #token: number | undefined;
  #totalLength = 0;

  constructor(private readonly changes: ChangeDetector) {}

  /** The token under which a response that is made from now on may be kept; what was kept under another is dropped. */
  begin(): number | undefined {
    const token = this.changes.changeToken();
    if (token !== undefined && token !== this.#token) {
      this.#clear();
      this.#token = token;
    }
    return token;
  }

  /** To be asked right after {@link begin} has said a token. */
  find(cacheKey: CacheKey): ApiResponse | undefined {
    return this.#responses.get(cacheKey.target)?.find((kept) => isSame(kept.cacheKey, cacheKey))?.response;
  }

  /** @param token what {@link begin} said before the response's data was read */
  keep(cacheKey: CacheKey, response: ApiResponse, token: number): void {
    const { target, baseUrl, preference } = cacheKey;
    const length = target.length + baseUrl.length + preference.length + (response.body?.length ?? 0);
    if (token !== this.#token || length > MAX_LENGTH || this.find(cacheKey)) return;
    if (this.#totalLength + length > MAX_TOTAL_LENGTH) this.#clear();
    const variants = this.#responses.get(target) ?? [];
    if (variants.length === MAX_VARIANTS) return;
    variants.push({ cacheKey, response });
    this.#responses.set(target, variants);
    this.#totalLength += length;
  }

  #clear(): void {
    this.#responses.clear();
    this.#totalLength = 0;
  }
}

function isSame(a: CacheKey, b: CacheKey): boolean {
  return a.baseUrl === b.baseUrl && a.representation === b.representation && a.preference === b.preference;
}

/** To be called as soon as a response is there, or it is clear that there is none to be shared; the first call counts. */
export type Done = (response: ApiResponse | undefined) => void;

/**
 * Answers that several requests ask for at the same time are made once.
 *
 * Nobody is given an older state than by a response of their own: while one is being made, those who ask for the same wait
 * for the next one, which is begun after all of them have asked.
 */
export class SharedResponses<Waiter> {
  /** By the key of a response that is being made: those who have asked since it was begun. */
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(
    /** Has the response made for one who asks. */
    private readonly make: (waiter: Waiter, done: Done) => void,
    /** Gives one who asks a response that was made for another. */
    private readonly give: (waiter: Waiter, response: ApiResponse) => void,
  ) {}

  /** @param key says all that a response may depend on, besides what is stored */
  ask(key: string, waiter: Waiter): void {
    const waiting = this.#waiting.get(key);
    if (waiting) waiting.push(waiter);
    else this.#make(key, waiter, []);
  }

  #make(key: string, first: Waiter, others: Waiter[]): void {
    const waiting: Waiter[] = [];
    this.#waiting.set(key, waiting);
    let isDone = false;
    this.make(first, (response) => {
      if (isDone) return;
      isDone = true;
      this.#waiting.delete(key);
      // Emptied, because what was asked first, and the `Map`, may refer to them for a while; see entry-list.ts.
      const [next, ...more] = waiting.splice(0);
      if (next) this.#make(key, next, more);
      for (const other of others.splice(0)) {
        if (response) this.give(other, response);
        // What cannot be shared, such as a fault or a stream, each finds out for itself.
        else this.make(other, () => {});
      }
    });
  }
}
