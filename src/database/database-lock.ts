import type { CompiledQuery } from './compiled-query.js';
import type { Transaction } from './database.js';
import type { Dialect } from './dialect.js';

/**
 * Takes a lock for as long as the transaction is open: all instances of the service know it by the same key.
 *
 * @param key a 64-bit integer
 * @returns false when another transaction has it; where one process does all the writing, none ever has
 */
export function tryLock(
  transaction: Transaction,
  { tryLock: query }: Dialect,
  key: bigint,
): Promise<boolean> {
  return isFree(transaction, query, key);
}

/** As {@link tryLock}, without taking the lock: whoever wants it meanwhile is not told that somebody has it. */
export function isUnlocked(transaction: Transaction, { lookAtLock }: Dialect, key: bigint): Promise<boolean> {
  return isFree(transaction, lookAtLock, key);
}

async function isFree(
  transaction: Transaction,
  query: CompiledQuery | undefined,
  key: bigint,
): Promise<boolean> {
  if (!query) return true;
  const [lock] = await transaction.all<{ isFree: boolean }>(query, { key: String(key) });
  return lock!.isFree;
}
