import type { Request, Response } from 'express';
import type { RouteOperation } from '../pipeline/route-table.js';
import { negotiate } from '../protocol/accept.js';
import type { ApiResponse } from './api-response.js';

/** Tells whether anything that is stored was changed, by whomever. */
export interface ChangeDetector {
  /** As long as the token is the same, nothing was changed. Undefined when there is no telling at the moment. */
  changeToken(): number | undefined;
}

/** A request for a cacheable response, and what was known when it came. */
interface CacheableRequest {
  readonly request: Request;
  readonly response: Response;
  readonly next: () => void;
  readonly key: string;
  /** The state of what is stored before the response is made. */
  readonly token: number | undefined;
}

/** Responses of cacheable operations: sent from the cache, or made once for all that ask at the same time. */
export class CacheableResponses {
  readonly #cache: ResponseCache;
  readonly #shared = new SharedResponses<CacheableRequest>(
    (waiter, done) => this.#make(waiter, done),
    ({ request, response }, apiResponse) => this.send(request, response, apiResponse),
  );

  constructor(
    changes: ChangeDetector,
    private readonly send: (request: Request, response: Response, apiResponse: ApiResponse) => void,
  ) {
    this.#cache = new ResponseCache(changes);
  }

  /** Sends the cached response, if nothing that is stored has changed since. @returns whether it did */
  sendCached({ declaration, produces }: RouteOperation, request: Request, response: Response): boolean {
    if (!declaration.cacheable) return false;
    const representation = negotiate(request.headers.accept, produces);
    if (!representation || representation.seeOther !== undefined) return false;
    const { context } = request;
    context.representation = representation;
    context.cacheToken = this.#cache.begin();
    const cached = context.cacheToken === undefined ? undefined : this.#cache.find(cacheKeyOf(request));
    if (cached) this.send(request, response, cached);
    return cached !== undefined;
  }

  /** Has the response made, or waits for the one that is being made for the same request of others. */
  share(request: Request, response: Response, next: () => void): void {
    const key = cacheKeyOf(request);
    this.#shared.ask(key, { request, response, next, key, token: request.context.cacheToken });
  }

  /**
   * The callback captures neither the request nor the response: measured, all responses that follow would outlive the
   * scavenges, 3 KiB each.
   */
  #make({ request, next, key, token }: CacheableRequest, done: Done): void {
    request.context.onResponse = (apiResponse) => {
      if (apiResponse && token !== undefined) this.#cache.keep(key, apiResponse, token);
      done(apiResponse);
    };
    next();
  }
}

/** All of a request that its response may depend on, besides what is stored. */
function cacheKeyOf({ context, headers }: Request): string {
  const { target, baseUrl, representation } = context;
  return `${target}\n${baseUrl}\n${representation!.mediaType}\n${headers['prefer']?.toString() ?? ''}`;
}

/** Longer responses are rarer, and take longer to send than to make. */
const MAX_LENGTH = 64 * 1024;
/** All of them together, in UTF-16 units: some tens of MiB at the most. */
const MAX_TOTAL_LENGTH = 16 * 1024 * 1024;

/**
 * Nothing in it can be stale: a response is kept under the token that was read before its data was, and is found only
 * while the token is still that one. It holds for every way of writing, other processes included.
 */
export class ResponseCache {
  readonly #responses = new Map<string, ApiResponse>();
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
  find(key: string): ApiResponse | undefined {
    const response = this.#responses.get(key);
    return response?.lastModified?.isOutdated ? undefined : response;
  }

  /** @param token what {@link begin} said before the response's data was read */
  keep(key: string, response: ApiResponse, token: number): void {
    const length = key.length + (response.body?.length ?? 0);
    if (token !== this.#token || length > MAX_LENGTH || this.find(key)) return;
    if (this.#totalLength + length > MAX_TOTAL_LENGTH) this.#clear();
    this.#responses.set(key, response);
    this.#totalLength += length;
  }

  #clear(): void {
    this.#responses.clear();
    this.#totalLength = 0;
  }
}

/** To be called as soon as a response is there, or it is clear that there is none to be shared; the first call counts. */
export type Done = (response: ApiResponse | undefined) => void;

/**
 * While a response is being made, requests for the same wait for the next one, which is begun after all of them have come:
 * none is given an older state than by a response of its own.
 */
export class SharedResponses<Waiter> {
  /** By the key of a response that is being made: those that have come since it was begun. */
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(
    private readonly make: (waiter: Waiter, done: Done) => void,
    private readonly give: (waiter: Waiter, response: ApiResponse) => void,
  ) {}

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
