import type { Request, Response } from 'express';
import type { RouteOperation } from '../pipeline/route-table.js';
import { negotiate } from '../protocol/accept.js';
import type { ApiResponse } from './api-response.js';

/** Detects changes to stored data from any source. */
export interface ChangeDetector {
  /** While the token stays the same, nothing has changed. Undefined when changes cannot be detected at the moment. */
  changeToken(): number | undefined;
}

const UNCHANGING = 0;

/** A request for a cacheable response, and the change token at its arrival. */
interface CacheableRequest {
  readonly request: Request;
  readonly response: Response;
  readonly next: () => void;
  readonly key: string;
  /** The change token from before the response is built. */
  readonly token: number | undefined;
}

/** Responses of cacheable operations: sent from the cache, or built once for concurrent requests. */
export class CacheableResponses {
  readonly #cache: ResponseCache;
  /** Responses that a query validates before they are sent, for when there is no change token. */
  readonly #validated = new ResponseCache({ changeToken: () => UNCHANGING });
  readonly #shared = new SharedResponses<CacheableRequest>(
    (waiter, done) => this.#make(waiter, done),
    ({ request, response }, apiResponse) => this.send(request, response, apiResponse),
  );

  constructor(
    changes: ChangeDetector,
    private readonly send: (request: Request, response: Response, apiResponse: ApiResponse) => void,
  ) {
    this.#cache = new ResponseCache(changes);
    this.#validated.begin();
  }

  /** Sends the cached response if no stored data has changed since. @returns whether it was sent */
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

  /** Builds the response, or waits for one that is being built for the same request. */
  share(request: Request, response: Response, next: () => void): void {
    const key = cacheKeyOf(request);
    this.#shared.ask(key, { request, response, next, key, token: request.context.cacheToken });
  }

  /**
   * The callback captures neither the request nor the response: measured, all later responses would otherwise survive
   * the scavenges, 3 KiB each.
   */
  #make(waiter: CacheableRequest, done: Done): void {
    const { request, next, key, token } = waiter;
    request.context.onResponse = (apiResponse) => {
      if (apiResponse && token !== undefined) this.#cache.keep(key, apiResponse, token);
      else if (apiResponse?.isCurrent) this.#validated.keep(key, apiResponse, UNCHANGING);
      done(apiResponse);
    };
    const cached = token === undefined ? this.#validated.find(key) : undefined;
    if (cached) this.#sendIfCurrent(cached, waiter, done);
    else next();
  }

  #sendIfCurrent(cached: ApiResponse, { request, response, next, key }: CacheableRequest, done: Done): void {
    cached.isCurrent!().then((isCurrent) => {
      if (isCurrent) {
        this.send(request, response, cached);
        done(cached);
      } else {
        this.#validated.remove(key);
        next();
      }
      // The handler runs into the fault of the database too, and reports it.
    }, next);
  }
}

/** The parts of a request that its response may depend on. */
function cacheKeyOf({ context, headers }: Request): string {
  const { target, baseUrl, representation } = context;
  return `${target}\n${baseUrl}\n${representation!.mediaType}\n${headers['prefer']?.toString() ?? ''}`;
}

/** Longer responses are rarer and take longer to send than to build. */
const MAX_LENGTH = 64 * 1024;
/** The total of all cached responses in UTF-16 units: some tens of MiB at most. */
const MAX_TOTAL_LENGTH = 16 * 1024 * 1024;

/**
 * A cache without stale entries: a response is stored under the token that was read before its data, and is found only
 * while the token is unchanged. This covers every way of writing, including other processes.
 */
export class ResponseCache {
  readonly #responses = new Map<string, ApiResponse>();
  #token: number | undefined;
  #totalLength = 0;

  constructor(private readonly changes: ChangeDetector) {}

  /** The token for storing a response that is built from now on. Entries of another token are removed. */
  begin(): number | undefined {
    const token = this.changes.changeToken();
    if (token !== undefined && token !== this.#token) {
      this.#clear();
      this.#token = token;
    }
    return token;
  }

  /** Call immediately after {@link begin} has returned a token. */
  find(key: string): ApiResponse | undefined {
    const response = this.#responses.get(key);
    return response?.lastModified?.isOutdated ? undefined : response;
  }

  /** @param token the result of {@link begin} before the response's data was read */
  keep(key: string, response: ApiResponse, token: number): void {
    const length = lengthOf(key, response);
    if (token !== this.#token || length > MAX_LENGTH || this.find(key)) return;
    this.remove(key);
    if (this.#totalLength + length > MAX_TOTAL_LENGTH) this.#clear();
    this.#responses.set(key, response);
    this.#totalLength += length;
  }

  remove(key: string): void {
    const response = this.#responses.get(key);
    if (!response) return;
    this.#responses.delete(key);
    this.#totalLength -= lengthOf(key, response);
  }

  #clear(): void {
    this.#responses.clear();
    this.#totalLength = 0;
  }
}

function lengthOf(key: string, { body }: ApiResponse): number {
  return key.length + (body?.length ?? 0);
}

/** Call as soon as the response exists, or when it is clear that there is none to share. Only the first call counts. */
export type Done = (response: ApiResponse | undefined) => void;

/**
 * While a response is being built, requests for the same wait for the next one, which starts after all of them have
 * arrived. So no request gets an older state than its own response would have.
 */
export class SharedResponses<Waiter> {
  /** Per key of a response being built: the requests that arrived since its start. */
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
      // Emptied because the first request and the `Map` may refer to the lists for a while; see entry-list.ts.
      const [next, ...more] = waiting.splice(0);
      if (next) this.#make(key, next, more);
      for (const other of others.splice(0)) {
        if (response) this.give(other, response);
        // A result that cannot be shared, such as an error or a stream, is built for each request.
        else this.make(other, () => {});
      }
    });
  }
}
