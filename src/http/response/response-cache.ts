import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { CacheSlot } from '../request/request-context.js';
import { type ApiResponse, isStream } from './api-response.js';
import { SharedWork } from './shared-work.js';

/** Detects changes to stored data from any source. */
export interface ChangeDetector {
  /** Grows with every change. Undefined where changes cannot be detected without a query. */
  readonly changeToken: number | undefined;
}

/** Injects the {@link ChangeDetector}. */
export const CHANGE_DETECTOR = Symbol('ChangeDetector');

/** Longer responses are rarer and take longer to send than to build. */
const MAX_LENGTH = 64 * 1_024;
/** The total of all cached responses in UTF-16 units: some tens of MiB at most. */
const MAX_TOTAL_LENGTH = 16 * 1_024 * 1_024;

interface Entry {
  readonly response: ApiResponse;
  readonly token: number | undefined;
  readonly length: number;
}

/**
 * A cache of responses that is never stale. An entry has the change token from before its data was read, and is used
 * only while the token is the same: this covers every way of writing. Without tokens, a query asks whether the entry is
 * current before it is used.
 */
@Injectable()
export class ResponseCache {
  readonly #entries = new Map<string, Entry>();
  #totalLength = 0;
  #latestToken: number | undefined;
  readonly #shared = new SharedWork<ApiResponse>(({ body }) => !isStream(body));

  constructor(@Inject(CHANGE_DETECTOR) private readonly changes: ChangeDetector) {}

  /**
   * The cached response of a cacheable operation, if nothing has changed since it was built. A promise where a query
   * must find that out.
   */
  find({ context, headers }: Request): ApiResponse | Promise<ApiResponse | undefined> | undefined {
    const { operation, representation } = context;
    if (!operation?.declaration.cacheable || !representation || representation.seeOther) return undefined;
    const key = `${context.target}\n${context.baseUrl}\n${representation.mediaType}\n${headers['prefer']?.toString() ?? ''}`;
    const token = this.#currentToken();
    const entry = this.#entries.get(key);
    const isUsable = entry?.token === token && !entry?.response.lastModified?.isOutdated;
    const cached = isUsable ? entry?.response : undefined;
    if (cached && token !== undefined) return cached;
    context.cacheSlot = { key, token, stopSharing: () => undefined };
    return cached && confirm(cached);
  }

  /** Keeps a response, unless stored data has changed since the token of the slot. */
  keep({ key, token }: CacheSlot, response: ApiResponse): void {
    const isUsable = token === undefined ? response.isCurrent : token === this.#currentToken();
    if (!isUsable || isStream(response.body)) return;
    const length = key.length + (response.body?.length ?? 0);
    if (length > MAX_LENGTH) return;
    if (this.#totalLength + length > MAX_TOTAL_LENGTH) this.#clear();
    this.#totalLength += length - (this.#entries.get(key)?.length ?? 0);
    this.#entries.set(key, { response, token, length });
  }

  /** Builds the response, or waits for one that is being built for the same request. */
  share(slot: CacheSlot, build: () => Promise<ApiResponse>): Promise<ApiResponse> {
    return this.#shared.get(slot.key, (release) => {
      slot.stopSharing = release;
      // The data is read from here on.
      slot.token = this.#currentToken();
      return build();
    });
  }

  /** The change token. Entries with an earlier one are never used again. */
  #currentToken(): number | undefined {
    const token = this.changes.changeToken;
    if (token !== this.#latestToken) this.#clear();
    this.#latestToken = token;
    return token;
  }

  #clear(): void {
    this.#entries.clear();
    this.#totalLength = 0;
  }
}

/** @returns the response, if a query says that it is current */
async function confirm(cached: ApiResponse): Promise<ApiResponse | undefined> {
  try {
    return (await cached.isCurrent!()) ? cached : undefined;
  } catch {
    // The handler runs into the fault of the database too, and reports it.
    return undefined;
  }
}
