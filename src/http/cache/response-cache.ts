import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Database } from '../../database/index.js';
import { ClientGone } from '../client/client-gone.js';
import type { ApiResponse } from '../response/api-response.js';

/** Longer responses are rarer and take longer to send than to build. */
const MAX_LENGTH = 64 * 1_024;
/** The total of all cached responses: some tens of MiB at most. */
const MAX_TOTAL_LENGTH = 16 * 1_024 * 1_024;
/** What an entry takes besides its key and body, such as the header fields. */
const ENTRY_LENGTH = 1_024;

/** The client of the request that builds a slow response may have to wait for its share of the database. */
const MAX_WAIT_MS = 1_000;

/** The group of the responses that any change concerns, such as lists. */
const ANY_ROW = '';

/** A response that is kept or, before that, the request that builds it, and those that wait for it. */
export class CacheEntry {
  isBuilt = false;
  /** Undefined, although it is built, when each request must build its own. */
  response: ApiResponse | undefined;
  length = 0;
  waiting: ((response: ApiResponse | undefined) => void)[] | undefined;

  /**
   * @param key all parts of the request on which the response may depend
   * @param wasRequestedBefore most lists are requested only once, and a page that is kept costs the garbage collector more
   *   than building it
   */
  constructor(
    private readonly cache: ResponseCache,
    readonly row: string,
    readonly key: string,
    readonly wasRequestedBefore: boolean,
  ) {}

  /** @see ResponseCache.finish */
  finish(response?: ApiResponse): void {
    this.cache.finish(this, response);
  }
}

/**
 * A cache of responses that is never stale. The entry of a response exists from the moment before its data is read until
 * a change concerns it, so a request that finds it has arrived before that change was acknowledged: it may use the
 * response, or wait for it while another request builds it. Where changes are not announced, a query that starts after
 * the request has arrived tells whether the response is current.
 */
@Injectable()
export class ResponseCache {
  readonly #entries = new Map<string, CacheEntry>();
  readonly #byRow = new Map<string, Set<CacheEntry>>();
  #totalLength = 0;

  constructor(@Inject(Database) private readonly database: Pick<Database, 'announcesChanges' | 'onChange'>) {
    database.onChange((rows) => {
      if (!rows) return this.#clear();
      for (const row of [ANY_ROW, ...rows]) this.#byRow.get(row)?.forEach((entry) => this.#remove(entry));
    });
  }

  /**
   * The response of a cacheable operation, if another request has built it or does so now. Otherwise the context gets
   * an entry for the response that this request builds.
   *
   * @throws ClientGone
   */
  find({ context, headers }: Request): ApiResponse | Promise<ApiResponse | undefined> | undefined {
    const { operation, representation, path, query, baseUrl } = context;
    if (!operation?.declaration.cacheable || !representation || representation.seeOther) return undefined;
    const key = `${path}?${query}\n${baseUrl}\n${representation.mediaType}\n${headers['prefer']?.toString() ?? ''}`;
    const entry = this.#entries.get(key);
    if (!entry || (entry.isBuilt && !entry.response)) return this.#begin(key, context, entry);
    if (entry.response && this.database.announcesChanges) return entry.response;
    return this.#join(entry, context);
  }

  /**
   * Gives the response to the requests that wait for it, and keeps it if it is small and no change concerned it.
   *
   * @param response without one, the requests that wait build their own
   */
  finish(entry: CacheEntry, response?: ApiResponse): void {
    if (entry.isBuilt) return;
    const shared = response?.stream ? undefined : response;
    entry.isBuilt = true;
    for (const resolve of entry.waiting ?? []) resolve(shared);
    entry.waiting = undefined;
    // A change may have removed it.
    if (this.#entries.get(entry.key) === entry) this.#store(entry, shared);
  }

  /** Keeps the response or, of a first request, only that there was one. */
  #store(entry: CacheEntry, response: ApiResponse | undefined): void {
    const kept = entry.wasRequestedBefore ? response : undefined;
    const length = ENTRY_LENGTH + entry.key.length + (kept?.bytes ?? 0);
    const canTellWhetherCurrent = this.database.announcesChanges || response?.isCurrent !== undefined;
    if (!response || !canTellWhetherCurrent || length > MAX_LENGTH) return this.#remove(entry);
    if (this.#totalLength + length > MAX_TOTAL_LENGTH) return this.#clear();
    entry.response = kept;
    entry.length = length;
    this.#totalLength += length;
  }

  async #join(entry: CacheEntry, context: Request['context']): Promise<ApiResponse | undefined> {
    const response = await this.#wait(entry);
    if (!response || this.database.announcesChanges) return response;
    // After a fault of the database, the handler runs into it too, and reports it.
    if (await response.isCurrent?.().catch(() => false)) return response;
    const next = this.#entries.get(entry.key);
    // An entry that has replaced this one was begun after this request had arrived.
    return next && next !== entry ? this.#wait(next) : this.#begin(entry.key, context, entry);
  }

  /** @returns undefined when each request must build its own response, also because it takes too long */
  async #wait(entry: CacheEntry): Promise<ApiResponse | undefined> {
    if (entry.isBuilt) return entry.response;
    return new Promise((resolve) => {
      if (!entry.waiting) setTimeout(() => this.finish(entry), MAX_WAIT_MS).unref();
      (entry.waiting ??= []).push(resolve);
    });
  }

  /** @param former what another request has begun @throws ClientGone */
  #begin(key: string, context: Request['context'], former: CacheEntry | undefined): undefined {
    // The end of the request would have ended the entry.
    if (context.isClosed) throw new ClientGone();
    const cacheable = context.operation!.declaration.cacheable!;
    const row = cacheable === true ? ANY_ROW : `${cacheable.rowOf}/${context.parameters['id']}`;
    const entry = new CacheEntry(this, row, key, former !== undefined || row !== ANY_ROW);
    if (former) this.#remove(former);
    this.#entries.set(key, entry);
    this.#byRow.set(row, (this.#byRow.get(row) ?? new Set()).add(entry));
    context.cacheEntry = entry;
  }

  #remove(entry: CacheEntry): void {
    const { row, key, length } = entry;
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#totalLength -= length;
    const entries = this.#byRow.get(row)!;
    entries.delete(entry);
    if (entries.size === 0) this.#byRow.delete(row);
  }

  #clear(): void {
    this.#entries.clear();
    this.#byRow.clear();
    this.#totalLength = 0;
  }
}
