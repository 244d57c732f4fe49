import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { In, LessThanOrEqual, MoreThan } from 'typeorm';
import { BackgroundRemoval, type ChangeHooks, Database, type Queryable } from '../database/index.js';
import { ApiResponse, type IdempotentRequest } from '../http/index.js';
import { LongTextJson } from '../turns/index.js';
import { LOGGER } from '../logging/logger.js';
import { IdempotencyKeyInUse, IdempotencyKeyReused } from './idempotency.problems.js';
import { UsedKey } from './used-key.entity.js';

/** Small enough that no request waits noticeably for the transaction. */
const REMOVAL_BATCH = 200;
const REMOVAL_INTERVAL_MS = 60_000;

/** Keys that were used this long ago or before count as absent. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

/** Makes it safe to retry a POST: only one of the requests with the same Idempotency-Key makes the change. */
@Injectable()
export class IdempotencyKeys extends BackgroundRemoval implements OnModuleInit {
  readonly #running = new Set<string>();

  constructor(
    private readonly database: Database,
    @Inject(LOGGER) logger: Logger,
  ) {
    super('Expired idempotency keys', logger);
  }

  onModuleInit(): void {
    this.start(REMOVAL_INTERVAL_MS);
  }

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
      const used = await findKey(this.database.readerOf(request.client), id);
      if (used) {
        for await (const chunk of body ?? []) void chunk;
        return replay(used, request);
      }
      // The client gets the response that is stored: another one might have a later Last-Modified.
      let response: ApiResponse | undefined;
      await change({
        before: async (transaction) => {
          // Another transaction, of any instance, holds the key or has used it.
          const isLocked = await this.database.dialect.tryLock(transaction, lockOf(id));
          if (!isLocked || (await findKey(transaction, id))) throw new IdempotencyKeyInUse();
        },
        after: (transaction, result) => {
          response = responseOf(result);
          // An expired key that was not removed yet is replaced.
          return transaction.manager.upsert(UsedKey, toUsedKey(request, response), ['id']);
        },
      });
      return response!;
    } finally {
      this.#running.delete(id);
    }
  }

  protected async removeSome(now: number): Promise<boolean> {
    const createdAt = LessThanOrEqual(expiryAt(now));
    const expired = await this.database.reader.manager.find(UsedKey, {
      select: { id: true },
      where: { createdAt },
      order: { createdAt: 'ASC', id: 'ASC' },
      take: REMOVAL_BATCH,
    });
    if (expired.length === 0) return false;
    // A request may have used an expired key again since.
    const where = { id: In(expired.map(({ id }) => id)), createdAt };
    await this.database.write(({ manager }) => manager.delete(UsedKey, where));
    return expired.length === REMOVAL_BATCH;
  }
}

function findKey({ manager }: Queryable, id: string): Promise<UsedKey | null> {
  return manager.findOneBy(UsedKey, { id, createdAt: MoreThan(expiryAt(Date.now())) });
}

function expiryAt(now: number): string {
  return new Date(now - KEPT_MS).toISOString();
}

/** The first 64 bits of the digest. If two running requests share them, one gets 409 and can retry. */
function lockOf(id: string): bigint {
  return Buffer.from(id, 'base64url').readBigInt64BE();
}

function toUsedKey(request: IdempotentRequest, response: ApiResponse): UsedKey {
  return {
    id: request.id,
    payload: request.payloadDigest(),
    status: response.status,
    headers: JSON.stringify(response.headers),
    entityTag: response.entityTag ?? null,
    body: storedBodyOf(response),
    createdAt: new Date().toISOString(),
  };
}

/** The JSON of a long text may take six times its size, so it is written again for each replay. */
function storedBodyOf({ stream, body }: ApiResponse): string | null {
  if (stream instanceof LongTextJson) return stream.toStored();
  return (body as string | undefined) ?? null;
}

function replay(used: UsedKey, request: IdempotentRequest): ApiResponse {
  if (used.payload !== request.payloadDigest()) throw new IdempotencyKeyReused();
  const headers = JSON.parse(used.headers) as Record<string, string>;
  return new ApiResponse({
    status: used.status,
    headers: { ...headers, 'Idempotency-Replayed': 'true' },
    ...(used.entityTag !== null && { entityTag: used.entityTag }),
    ...(used.body !== null && { body: LongTextJson.fromStored(used.body) ?? used.body }),
  });
}
