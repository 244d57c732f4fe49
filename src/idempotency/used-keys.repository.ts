import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { In, LessThanOrEqual, MoreThan } from 'typeorm';
import { BackgroundRemoval } from '../database/background-removal.js';
import { Database, type Queryable, type Transaction } from '../database/database.js';
import { LOGGER } from '../logging/logger.js';
import { UsedKey } from './used-key.entity.js';

/** Small enough that no request waits noticeably for the transaction. */
const REMOVAL_BATCH = 200;
const REMOVAL_INTERVAL_MS = 60_000;

const KEPT_MS = 24 * 60 * 60 * 1_000;

/** All queries on used keys. Keys that were created 24 hours ago or before count as absent. */
@Injectable()
export class UsedKeysRepository extends BackgroundRemoval implements OnModuleInit {
  constructor(
    private readonly database: Database,
    @Inject(LOGGER) logger: Logger,
  ) {
    super('Expired idempotency keys', logger);
  }

  onModuleInit(): void {
    this.start(REMOVAL_INTERVAL_MS);
  }

  /** @param within the transaction to read in; by default the reader, which sees committed data */
  find(id: string, { manager }: Queryable = this.database.reader): Promise<UsedKey | null> {
    return manager.findOneBy(UsedKey, { id, createdAt: MoreThan(expiryAt(Date.now())) });
  }

  /**
   * Locks the key until the transaction ends.
   *
   * @returns false when another transaction, of any instance, holds it or has used it
   */
  async claim(transaction: Transaction, id: string): Promise<boolean> {
    const isLocked = await this.database.dialect.tryLock(transaction, lockOf(id));
    return isLocked && !(await this.find(id, transaction));
  }

  /** An expired key that was not removed yet is replaced. */
  async save({ manager }: Transaction, used: UsedKey): Promise<void> {
    await manager.upsert(UsedKey, used, ['id']);
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

function expiryAt(now: number): string {
  return new Date(now - KEPT_MS).toISOString();
}

/** The first 64 bits of the digest. If two running requests share them, one gets 409 and can retry. */
function lockOf(id: string): bigint {
  return Buffer.from(id, 'base64url').readBigInt64BE();
}
