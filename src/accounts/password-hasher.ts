import { Inject, Injectable } from '@nestjs/common';
import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ServiceUnavailable } from '../problem-details/problems.js';
import { SETTINGS, type Settings } from '../settings/settings.js';

/** Each takes the memory of PASSWORD_HASH_MEMORY, and a thread of the four that SQLite works on, too. */
const MAX_RUNNING = 2;
/** The last of them waits for some seconds; beyond it nobody would wait for the response. */
const MAX_WAITING = 20;

const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** As OWASP's Password Storage Cheat Sheet has it; memory is 128 · r · N bytes. */
const BLOCK_SIZE = 8;
const PARALLELIZATION = 1;

/** In the manner of PHC strings: the name of the function, its parameters, salt and key. */
const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

interface Cost {
  /** The binary logarithm of scrypt's N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Hashes passwords with scrypt (RFC 7914), a memory-hard function, and verifies them; a few at a time. */
@Injectable()
export class PasswordHasher {
  readonly #cost: Cost;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(@Inject(SETTINGS) { passwordHashMemory }: Pick<Settings, 'passwordHashMemory'>) {
    this.#cost = {
      ln: Math.log2(passwordHashMemory / (128 * BLOCK_SIZE)),
      r: BLOCK_SIZE,
      p: PARALLELIZATION,
    };
  }

  /**
   * @returns what is stored in the password's place
   * @throws ServiceUnavailable when too many wait already
   */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const key = await this.#derive(password, salt, this.#cost);
    const { ln, r, p } = this.#cost;
    return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
  }

  /**
   * Tells whether the password is the one that was hashed. It takes as long when there is no hash: nobody learns by the
   * clock which accounts there are.
   *
   * @throws ServiceUnavailable when too many wait already
   */
  async verify(password: string, stored: string | undefined): Promise<boolean> {
    const [, ln, r, p, salt, key] = STORED.exec(stored ?? '') ?? [];
    if (salt === undefined || key === undefined) {
      await this.#derive(password, randomBytes(SALT_BYTES), this.#cost);
      return false;
    }
    const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
    const derived = await this.#derive(password, Buffer.from(salt, 'base64url'), cost);
    const expected = Buffer.from(key, 'base64url');
    return expected.length === derived.length && timingSafeEqual(expected, derived);
  }

  /** Tells whether a hash was made with other parameters than those of today. */
  isOutdated(stored: string): boolean {
    const { ln, r, p } = this.#cost;
    return !stored.startsWith(`$scrypt$ln=${ln},r=${r},p=${p}$`);
  }

  async #derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
    await this.#enter();
    try {
      const cost = 2 ** ln;
      // Node refuses by default what takes more than 32 MiB; scrypt takes a little besides its table.
      const options = { cost, blockSize: r, parallelization: p, maxmem: 128 * r * (cost + p + 2) };
      // However it was typed: some keyboards compose characters, and others do not (NIST SP 800-63B §5.1.1.2).
      return await derive(password.normalize('NFKC'), salt, KEY_BYTES, options);
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < MAX_RUNNING) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) {
      throw new ServiceUnavailable('Too many passwords are being checked; nothing was changed.', {
        retryAfterSeconds: 5,
      });
    }
    // Whoever leaves hands its place on.
    await new Promise<void>((go) => {
      this.#waiting.push(go);
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}
