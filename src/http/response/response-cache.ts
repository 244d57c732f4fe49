import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { RequestContext } from '../request/request-context.js';
import type { ApiResponse } from './api-response.js';

/** Announces changes of stored data from any source. */
export interface ChangeAnnouncer {
  /** False where other processes write too: then only a query can tell whether a response is current. */
  readonly announcesChanges: boolean;
  /**
   * @param listener called before a change is acknowledged, with all rows that it concerns, such as `posts/7`; undefined
   *   when any row may have changed
   */
  onChange(listener: (rows: readonly string[] | undefined) => void): void;
}

/** Injects the {@link ChangeAnnouncer}. */
export const CHANGE_ANNOUNCER = Symbol('ChangeAnnouncer');

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
export interface CacheEntry {
  readonly row: string;
  /** All parts of the request on which the response may depend. */
  readonly key: string;
  /** Most lists are requested only once, and a page that is kept costs the garbage collector more than building it. */
  readonly isWorthKeeping: boolean;
  isBuilt: boolean;
  /** Undefined, although it is built, when each request must build its own. */
  response: ApiResponse | undefined;
  length: number;
  waiting: ((response: ApiResponse | undefined) => void)[] | undefined;
}

/**
 * A cache of responses that is never stale. The entry of a response exists from the moment before its data is read until
 * a change concerns it, so a request that finds it has arrived before that change was acknowledged: it may use the
 * response, or wait for it while another request builds it. Where changes are not announced, a query that starts after
 * the request has arrived tells whether the response is current.
 */
@Injectable()
export class ResponseCache {
  /** The entries by their row, and then by their key. */
  readonly #groups = new Map<string, Map<string, CacheEntry>>();
  #totalLength = 0;

  constructor(@Inject(CHANGE_ANNOUNCER) private readonly changes: ChangeAnnouncer) {
    changes.onChange((rows) => {
      if (!rows) return this.#clear();
      this.#removeGroup(ANY_ROW);
      for (const row of rows) this.#removeGroup(row);
    });
  }

  /**
   * The response of a cacheable operation, if another request has built it or does so now. Otherwise the context gets
   * an entry for the response that this request builds.
   */
  find({ context, headers }: Request): ApiResponse | Promise<ApiResponse | undefined> | undefined {
    const { operation, representation, parameters, path, query, baseUrl } = context;
    const cacheable = operation?.declaration.cacheable;
    if (!cacheable || !representation || representation.seeOther) return undefined;
    const row = cacheable === true ? ANY_ROW : `${cacheable.rowOf}/${parameters['id']}`;
    const key = `${path}?${query}\n${baseUrl}\n${representation.mediaType}\n${headers['prefer']?.toString() ?? ''}`;
    const entry = this.#groups.get(row)?.get(key);
    if (!entry || (entry.isBuilt && !entry.response))
      return this.#begin(row, key, context, entry !== undefined);
    if (entry.response && this.changes.announcesChanges) return entry.response;
    return this.#join(entry, context);
  }

  /**
   * Gives the response to the requests that wait for it, and keeps it if it is small and no change concerned it.
   *
   * @param response without one, the requests that wait build their own
   */
  keep(entry: CacheEntry, response?: ApiResponse): void {
    if (entry.isBuilt) return;
    const shared = response?.stream ? undefined : response;
    entry.isBuilt = true;
    for (const resolve of entry.waiting ?? []) resolve(shared);
    entry.waiting = undefined;
    if (this.#groups.get(entry.row)?.get(entry.key) !== entry) return;
    const { announcesChanges } = this.changes;
    const length = ENTRY_LENGTH + entry.key.length + (entry.isWorthKeeping ? (shared?.bytes ?? 0) : 0);
    if (!shared || length > MAX_LENGTH || !(shared.isCurrent || announcesChanges)) return this.#remove(entry);
    if (this.#totalLength + length > MAX_TOTAL_LENGTH) return this.#clear();
    if (entry.isWorthKeeping) entry.response = shared;
    entry.length = length;
    this.#totalLength += length;
  }

  async #join(entry: CacheEntry, context: RequestContext): Promise<ApiResponse | undefined> {
    const response = await this.#wait(entry);
    if (!response || this.changes.announcesChanges) return response;
    // After a fault of the database, the handler runs into it too, and reports it.
    if (await response.isCurrent?.().catch(() => false)) return response;
    const next = this.#groups.get(entry.row)?.get(entry.key);
    // An entry that has replaced this one was begun after this request had arrived.
    return next && next !== entry ? this.#wait(next) : this.#begin(entry.row, entry.key, context, true);
  }

  /** @returns undefined when each request must build its own response, also because it takes too long */
  async #wait(entry: CacheEntry): Promise<ApiResponse | undefined> {
    if (entry.isBuilt) return entry.response;
    return new Promise((resolve) => {
      if (!entry.waiting) setTimeout(() => this.keep(entry), MAX_WAIT_MS).unref();
      (entry.waiting ??= []).push(resolve);
    });
  }

  #begin(row: string, key: string, context: RequestContext, isRepeated: boolean): undefined {
    const entry: CacheEntry = {
      row,
      key,
      isWorthKeeping: isRepeated || row !== ANY_ROW,
      isBuilt: false,
      response: undefined,
      length: 0,
      waiting: undefined,
    };
    let group = this.#groups.get(row);
    if (!group) this.#groups.set(row, (group = new Map()));
    this.#totalLength -= group.get(key)?.length ?? 0;
    group.set(key, entry);
    context.cacheEntry = entry;
  }

  #remove({ row, key, length }: CacheEntry): void {
    const group = this.#groups.get(row)!;
    group.delete(key);
    this.#totalLength -= length;
    if (group.size === 0) this.#groups.delete(row);
  }

  #removeGroup(row: string): void {
    const group = this.#groups.get(row);
    if (!group) return;
    for (const { length } of group.values()) this.#totalLength -= length;
    this.#groups.delete(row);
  }

  #clear(): void {
    this.#groups.clear();
    this.#totalLength = 0;
  }
}
