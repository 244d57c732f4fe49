import { Inject, Injectable } from '@nestjs/common';
import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type Client, ClientQuota } from '../limits/index.js';
import { SETTINGS, type Settings } from '../settings/settings.js';

/** Each hash takes PASSWORD_HASH_MEMORY and one of the libuv threads that SQLite also uses. */
const MAX_RUNNING = 2;

const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** As in OWASP's Password Storage Cheat Sheet; memory is 128 · r · N bytes. */
const BLOCK_SIZE = 8;
const PARALLELIZATION = 1;

/** Similar to PHC strings: function name and parameters, then salt and key. */
const HEAD = new RegExp(String.raw`^\$scrypt\$ln=(\d{1,2}),r=${BLOCK_SIZE},p=${PARALLELIZATION}\$`);
const SALT_AND_KEY = /\$([\w-]+)\$([\w-]+)$/;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Commands and the start of the service have no client. */
const NO_CLIENT: Client = { name: '' };

/**
 * Hashes and verifies passwords with scrypt (RFC 7914), a memory-hard function. Few hashes run at a time, and one client
 * has one of them: the passwords of others do not wait for all of its guesses.
 */
@Injectable()
export class PasswordHasher {
  /** The beginning of new hashes. `ln` is the binary logarithm of scrypt's N, the only parameter that varies. */
  readonly #head: string;
  readonly #places = new ClientQuota(MAX_RUNNING);

  constructor(@Inject(SETTINGS) { passwordHashMemory }: Pick<Settings, 'passwordHashMemory'>) {
    const ln = Math.log2(passwordHashMemory / (128 * BLOCK_SIZE));
    this.#head = `$scrypt$ln=${ln},r=${BLOCK_SIZE},p=${PARALLELIZATION}$`;
  }

  /**
   * @param client waits for the hash
   * @returns the string to store as the password hash
   * @throws TooBusy when too many passwords wait
   */
  async hash(password: string, client?: Client): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const key = await this.derive(password, salt, this.#head, client);
    return `${this.#head}${salt.toString('base64url')}$${key.toString('base64url')}`;
  }

  /**
   * Verifies a password against its hash. After a change of PASSWORD_HASH_MEMORY, hashes of several costs are stored. So
   * that the time does not reveal which accounts exist, every call derives a key at each of these costs.
   *
   * @param stored undefined for an unknown name
   * @param others the hashes of all accounts
   * @param client waits for the result
   * @throws TooBusy when too many passwords wait
   * @throws the signal's reason when the client has gone
   */
  async verify(
    password: string,
    stored: string | undefined,
    others: readonly string[] = [],
    client?: Client,
  ): Promise<boolean> {
    const [, salt, key] = SALT_AND_KEY.exec(stored ?? '') ?? [];
    const heads = new Set([stored, ...others].flatMap((hash) => HEAD.exec(hash ?? '')?.[0] ?? []));
    if (heads.size === 0) heads.add(this.#head);
    let isRight = false;
    for (const head of heads) {
      const isOfStored = stored?.startsWith(head) && key !== undefined;
      const usedSalt = isOfStored ? Buffer.from(salt!, 'base64url') : randomBytes(SALT_BYTES);
      const derived = await this.derive(password, usedSalt, head, client);
      if (isOfStored) isRight = isSameKey(derived, Buffer.from(key, 'base64url'));
    }
    return isRight;
  }

  /** Returns whether a hash was made with other parameters than the current ones. */
  isOutdated(stored: string): boolean {
    return !stored.startsWith(this.#head);
  }

  /** @param head the beginning of a hash, which has the cost */
  protected async derive(password: string, salt: Buffer, head: string, client = NO_CLIENT): Promise<Buffer> {
    const cost = 2 ** Number(HEAD.exec(head)![1]);
    // By default Node refuses more than 32 MiB. scrypt needs a little more than its table.
    const maxmem = 128 * BLOCK_SIZE * (cost + PARALLELIZATION + 2);
    const options = { cost, blockSize: BLOCK_SIZE, parallelization: PARALLELIZATION, maxmem };
    const giveBack = await this.#places.wait(client);
    try {
      // Normalizes the password, because some keyboards compose characters and others do not (NIST SP 800-63B §5.1.1.2).
      return await derive(password.normalize('NFKC'), salt, KEY_BYTES, options);
    } finally {
      giveBack();
    }
  }
}

/** Compares in constant time, so that the time reveals nothing about a key. */
function isSameKey(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
