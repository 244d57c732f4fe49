import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.js';
import type { IdempotentRequest } from '../http/request/idempotent-request.js';
import { ApiResponse } from '../http/response/api-response.js';
import { IdempotencyKeyInUse, IdempotencyKeyReused } from '../problem-details/problems.js';
import type { UsedKey } from './used-key.entity.js';
import { UsedKeysRepository } from './used-keys.repository.js';

/** How a request uses its key, in the transaction that does its work. Without a key, nothing is stored. */
class KeyUse {
  constructor(
    private readonly usedKeys: UsedKeysRepository,
    private readonly request: IdempotentRequest | undefined,
  ) {}

  /**
   * Locks the key. All instances share the lock: while the transaction holds it, no other one uses the key.
   *
   * @throws IdempotencyKeyInUse when another instance holds it, or has just used it
   */
  async claim(transaction: Transaction): Promise<void> {
    if (this.request && !(await this.usedKeys.claim(transaction, this.request.id)))
      throw new IdempotencyKeyInUse();
  }

  /** Stores the response under the key, if there is one, and returns it. The transaction has claimed the key. */
  async remember(transaction: Transaction, response: ApiResponse): Promise<ApiResponse> {
    if (this.request)
      await this.usedKeys.save(transaction, {
        id: this.request.id,
        payload: this.request.payloadDigest(),
        status: response.status,
        headers: JSON.stringify(response.headers),
        entityTag: response.entityTag ?? null,
        body: (response.body as string | undefined) ?? null,
        createdAt: new Date().toISOString(),
      });
    return response;
  }
}

/** Makes it safe to retry a POST: only one of the requests with the same Idempotency-Key does the work. */
@Injectable()
export class IdempotencyKeys {
  readonly #running = new Set<string>();

  constructor(private readonly usedKeys: UsedKeysRepository) {}

  /**
   * Responds with the result of `perform`, or with the stored response of the key. A request that fails in `perform` or
   * in its transaction does not use its key.
   *
   * @param request undefined when the request has no key
   * @param perform does the work once the payload was read, and uses the key in the work's transaction
   * @param body the payload when `perform` reads it; it is read here when `perform` does not run
   * @throws IdempotencyKeyInUse while another request with this key is running: on this instance from its start, on
   *   another one while it stores something
   * @throws IdempotencyKeyReused when the key was used with another payload
   */
  async respondOnce(
    request: IdempotentRequest | undefined,
    perform: (key: KeyUse) => Promise<ApiResponse>,
    body?: AsyncIterable<Buffer>,
  ): Promise<ApiResponse> {
    const use = new KeyUse(this.usedKeys, request);
    if (!request) return perform(use);
    const { id } = request;
    if (this.#running.has(id)) throw new IdempotencyKeyInUse();
    this.#running.add(id);
    try {
      const used = await this.usedKeys.find(id);
      if (!used) return await perform(use);
      for await (const chunk of body ?? []) void chunk;
      return replay(used, request);
    } finally {
      this.#running.delete(id);
    }
  }
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
