import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { negotiate } from '../protocol/accept.js';
import { type ApiResponse, isStream } from './api-response.js';
import { type ChangeDetector, ResponseCache } from './response-cache.js';
import { SharedWork } from './shared-work.js';

/** Injects the {@link ChangeDetector}. */
export const CHANGE_DETECTOR = Symbol('ChangeDetector');

const UNCHANGING = 0;

/** Responses of cacheable operations: sent from the cache, or built once for concurrent requests. */
@Injectable()
export class CachedResponses {
  readonly #cache: ResponseCache;
  /** Responses that a query validates before they are sent, for when there is no change token. */
  readonly #validated = new ResponseCache({ changeToken: () => UNCHANGING });
  readonly #shared = new SharedWork<ApiResponse>(({ body }) => !isStream(body));

  constructor(@Inject(CHANGE_DETECTOR) changes: ChangeDetector) {
    this.#cache = new ResponseCache(changes);
    this.#validated.begin();
  }

  /** The cached response, if no stored data has changed since it was built. */
  find({ context, headers }: Request): ApiResponse | undefined {
    const { declaration, produces } = context.operation!;
    if (!declaration.cacheable) return undefined;
    context.representation = negotiate(headers.accept, produces);
    if (!context.representation || context.representation.seeOther !== undefined) return undefined;
    context.cacheToken = this.#cache.begin();
    return context.cacheToken === undefined ? undefined : this.#cache.find(cacheKeyOf(context, headers));
  }

  /** Keeps the response of a cacheable operation, unless stored data has changed since {@link find}. */
  keep({ context, headers }: Request, response: ApiResponse): void {
    const { cacheToken } = context;
    if (cacheToken !== undefined) this.#cache.keep(cacheKeyOf(context, headers), response, cacheToken);
  }

  /** Builds the response, or waits for one that is being built for the same request. */
  share({ context, headers }: Request, build: () => Promise<ApiResponse>): Promise<ApiResponse> {
    const key = cacheKeyOf(context, headers);
    return this.#shared.get(key, async (release) => {
      context.stopSharing = release;
      // The data is read from here on.
      context.cacheToken = this.#cache.begin();
      const isUnknown = context.cacheToken === undefined;
      const cached = isUnknown ? this.#validated.find(key) : undefined;
      if (cached && (await isCurrent(cached))) return cached;
      const response = await build();
      if (isUnknown && response.isCurrent) {
        this.#validated.replace(key, response, UNCHANGING);
      }
      return response;
    });
  }
}

async function isCurrent(response: ApiResponse): Promise<boolean> {
  try {
    return await response.isCurrent!();
  } catch {
    // The handler runs into the fault of the database too, and reports it.
    return false;
  }
}

/** The parts of a request that its response may depend on. */
function cacheKeyOf(
  { target, baseUrl, representation }: Request['context'],
  headers: Request['headers'],
): string {
  return `${target}\n${baseUrl}\n${representation!.mediaType}\n${headers['prefer']?.toString() ?? ''}`;
}
