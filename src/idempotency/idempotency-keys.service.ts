import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Transaction } from '../database/database.js';
import type { IdempotentRequest } from '../http/request/idempotent-request.js';
import { escapeJson, SlicedBody, SlicedText } from '../http/request/slices.js';
import { ApiResponse } from '../http/response/api-response.js';
import { LOGGER } from '../logging/logger.js';
import { CATALOGUE } from '../problem-details/catalogue.js';
import { Problem } from '../problem-details/problem.js';
import type { UsedKey } from './used-key.entity.js';
import { UsedKeysRepository } from './used-keys.repository.js';

/** How long a key is kept. */
const KEPT_MS = 24 * 60 * 60 * 1_000;
const REMOVAL_INTERVAL_MS = 60_000;
/** Few enough that no request waits noticeably for their transaction. */
const REMOVAL_BATCH = 200;

/** What a request with a key does with it, in the transaction that makes its response true. */
export interface KeyUse {
  /**
   * Keeps the key, before anything else is done.
   *
   * @throws IdempotencyKeyInUse when another instance has it
   */
  claim(transaction: Transaction): Promise<void>;
  /** Stores the response under the key, and returns it; without a key it returns what was done. */
  remember<Value>(transaction: Transaction, done: Value): Promise<Value | ApiResponse>;
}

const NO_KEY: KeyUse = {
  claim: () => Promise.resolve(),
  remember: (_transaction, done) => Promise.resolve(done),
};

/** Somebody else used the key up between our first look and our transaction, which is void by this. */
class KeyTaken extends Error {
  constructor(readonly used: UsedKey) {
    super('The key was used up meanwhile.');
  }
}

/** Lets a POST be retried without fear: of all requests with one Idempotency-Key, one does its work. */
@Injectable()
export class IdempotencyKeys implements OnModuleInit, OnModuleDestroy {
  readonly #running = new Set<string>();
  #removal: NodeJS.Timeout | undefined;

  constructor(
    private readonly usedKeys: UsedKeysRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Answers the request: by `perform`, or with the response that its key was used up for. A refusal, thrown by `perform`
   * or its transaction, uses up no key.
   *
   * @param request undefined when the request has no key
   * @param perform does the work once the payload was read, and uses the key within the transaction that does it
   * @param readRest reads what is still unread of the payload when there is nothing to perform
   * @throws IdempotencyKeyInUse while a request with this key is running: on this instance from its start, on another one
   *   from the moment when all of its payload is there
   * @throws IdempotencyKeyReused when the key was used up by another payload
   */
  async respondOnce<Value>(
    request: IdempotentRequest | undefined,
    perform: (key: KeyUse) => Promise<Value | ApiResponse>,
    readRest?: () => Promise<void>,
  ): Promise<Value | ApiResponse> {
    if (!request) return perform(NO_KEY);
    const { id } = request;
    if (this.#running.has(id)) throw new IdempotencyKeyInUse();
    this.#running.add(id);
    try {
      const used = await this.usedKeys.find(id, expiredAt());
      if (!used) {
        // Told before its payload is sent, not after.
        if (readRest && (await this.usedKeys.isClaimed(id))) throw new IdempotencyKeyInUse();
        return await perform({
          claim: (transaction) => this.#claim(id, transaction),
          remember: (transaction, done) => this.#remember(request, transaction, request.respond(done)),
        });
      }
      await readRest?.();
      return replay(used, request);
    } catch (error) {
      if (error instanceof KeyTaken) return replay(error.used, request);
      throw error;
    } finally {
      this.#running.delete(id);
    }
  }

  onModuleInit(): void {
    this.#removal = setInterval(() => void this.#tryToRemove(), REMOVAL_INTERVAL_MS);
    this.#removal.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.#removal);
  }

  /** Removes the keys that have expired, a bounded number at a time, so that other writes come in between. */
  async removeExpired(): Promise<void> {
    let removed = REMOVAL_BATCH;
    while (removed === REMOVAL_BATCH) removed = await this.usedKeys.deleteExpired(expiredAt(), REMOVAL_BATCH);
  }

  async #claim(id: string, transaction: Transaction): Promise<void> {
    if (!(await this.usedKeys.claim(transaction, id))) throw new IdempotencyKeyInUse();
  }

  async #remember(
    { id, payload }: IdempotentRequest,
    transaction: Transaction,
    response: ApiResponse,
  ): Promise<ApiResponse> {
    const used: UsedKey = {
      id,
      payload: payload.digest(),
      status: response.status,
      headers: JSON.stringify(response.headers),
      entityTag: response.entityTag ?? null,
      body: toStored(response.body),
      createdAt: new Date().toISOString(),
    };
    if (await this.usedKeys.insert(transaction, used, expiredAt())) return response;
    const other = await this.usedKeys.find(id, expiredAt(), transaction);
    // Neither stored nor there: it expired between the two statements, and is free when the client tries again.
    throw other ? new KeyTaken(other) : new IdempotencyKeyInUse();
  }

  async #tryToRemove(): Promise<void> {
    try {
      await this.removeExpired();
    } catch (error) {
      this.logger.warn({ err: error }, 'Expired idempotency keys could not be removed; it is tried again.');
    }
  }
}

function expiredAt(): string {
  return new Date(Date.now() - KEPT_MS).toISOString();
}

function replay(used: UsedKey, { payload }: IdempotentRequest): ApiResponse {
  if (used.payload !== payload.digest()) throw new IdempotencyKeyReused();
  const headers = JSON.parse(used.headers) as Record<string, string>;
  return new ApiResponse({
    status: used.status,
    headers: { ...headers, 'Idempotency-Replayed': 'true' },
    ...(used.entityTag !== null && { entityTag: used.entityTag }),
    ...(used.body !== null && { body: fromStored(used.body) }),
  });
}

/**
 * JSON as it is sent, on one line. A large post is stored as the start of its JSON, a line feed, and its body as it is: escaped, it
 * could take six times as much memory.
 */
function toStored(body: ApiResponse['body']): string | null {
  if (body instanceof SlicedText) return `${body.before}\n${body.text}`;
  if (body instanceof SlicedBody) throw new Error('No answer to a POST is a list.');
  return body?.toString() ?? null;
}

function fromStored(stored: string): string | SlicedText {
  const end = stored.indexOf('\n');
  if (end < 0) return stored;
  return new SlicedText(stored.slice(0, end), stored.slice(end + 1), escapeJson, '"}');
}

/** 409: a request with this key is being worked on. */
export class IdempotencyKeyInUse extends Problem {
  constructor() {
    super(CATALOGUE.idempotencyKeyInUse, {
      detail: 'A request with this Idempotency-Key is still running.',
      headers: { 'Retry-After': '1' },
    });
  }
}

/** 422: the key was used up by a request with another payload. */
export class IdempotencyKeyReused extends Problem {
  constructor() {
    super(CATALOGUE.idempotencyKeyReused, {
      detail: 'This Idempotency-Key was used for another payload; nothing was changed.',
    });
  }
}
