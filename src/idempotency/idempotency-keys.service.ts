import { Injectable } from '@nestjs/common';
import type { ChangeHooks } from '../database/database.js';
import type { IdempotentRequest } from '../http/request/idempotent-request.js';
import { ApiResponse } from '../http/response/api-response.js';
import { IdempotencyKeyInUse, IdempotencyKeyReused } from '../problem-details/problems.js';
import type { UsedKey } from './used-key.entity.js';
import { UsedKeysRepository } from './used-keys.repository.js';

/** Makes it safe to retry a POST: only one of the requests with the same Idempotency-Key makes the change. */
@Injectable()
export class IdempotencyKeys {
  readonly #running = new Set<string>();

  constructor(private readonly usedKeys: UsedKeysRepository) {}

  /**
   * Makes a change and responds with its result, or with the stored response of the key. A request that fails does not
   * use its key.
   *
   * @param request undefined when the request has no key
   * @param change makes the change, once the payload was read. The hooks use the key in its transaction: all instances
   *   share the lock.
   * @param body the payload when `change` reads it; it is read here when `change` does not run
   * @throws IdempotencyKeyInUse while another request with this key is running: on this instance from its start, on
   *   another one while it stores something
   * @throws IdempotencyKeyReused when the key was used with another payload
   */
  async respondOnce<Result>(
    request: IdempotentRequest | undefined,
    change: (hooks?: ChangeHooks<Result>) => Promise<Result>,
    responseOf: (result: Result) => ApiResponse,
    body?: AsyncIterable<Buffer>,
  ): Promise<ApiResponse> {
    if (!request) return responseOf(await change());
    const { id } = request;
    if (this.#running.has(id)) throw new IdempotencyKeyInUse();
    this.#running.add(id);
    try {
      const used = await this.usedKeys.find(id);
      if (used) {
        for await (const chunk of body ?? []) void chunk;
        return replay(used, request);
      }
      // The client gets the response that is stored: another one might have a later Last-Modified.
      let response: ApiResponse | undefined;
      await change({
        before: async (transaction) => {
          if (!(await this.usedKeys.claim(transaction, id))) throw new IdempotencyKeyInUse();
        },
        after: (transaction, result) => {
          response = responseOf(result);
          return this.usedKeys.save(transaction, toUsedKey(request, response));
        },
      });
      return response!;
    } finally {
      this.#running.delete(id);
    }
  }
}

function toUsedKey(request: IdempotentRequest, response: ApiResponse): UsedKey {
  return {
    id: request.id,
    payload: request.payloadDigest(),
    status: response.status,
    headers: JSON.stringify(response.headers),
    entityTag: response.entityTag ?? null,
    body: (response.body as string | undefined) ?? null,
    createdAt: new Date().toISOString(),
  };
}

function replay(used: UsedKey, request: IdempotentRequest): ApiResponse {
  if (used.payload !== request.payloadDigest()) throw new IdempotencyKeyReused();
  const headers = JSON.parse(used.headers) as Record<string, string>;
  return new ApiResponse({
    status: used.status,
    headers: { ...headers, 'Idempotency-Replayed': 'true' },
    ...(used.entityTag !== null && { entityTag: used.entityTag }),
    ...(used.body !== null && { body: fromStored(used.body) }),
  });
}

/** Version 1.1 stored a long text unescaped, after a line feed. Its keys expire a day after the upgrade. */
function fromStored(stored: string): string {
  const end = stored.indexOf('\n');
  return end < 0 ? stored : `${stored.slice(0, end - 1)}${JSON.stringify(stored.slice(end + 1))}}`;
}
