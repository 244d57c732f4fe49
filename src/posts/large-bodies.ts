import { Inject, Injectable } from '@nestjs/common';
import { TooManyAnswers } from '../problem-details/problems.js';
import { SETTINGS } from '../settings/settings.module.js';
import type { Settings } from '../settings/settings.js';

/** How many of the largest bodies streams may hold; each takes some times its size until it is sent. */
const LARGEST_BODIES = 2;
/** With a small MAX_BODY_BYTES there may be larger ones from before. */
const MIN_BYTES = 64 * 1_024 * 1_024;
/** For so long a stream waits for others to send theirs. */
const WAIT_MS = 30_000;

interface Waiting {
  readonly bytes: number;
  readonly start: () => void;
}

/** Bounds the bytes of the large bodies that all streams together have read and not sent. */
@Injectable()
export class LargeBodies {
  readonly #maxBytes: number;
  readonly #waiting: Waiting[] = [];
  #heldBytes = 0;

  constructor(@Inject(SETTINGS) { maxBodyBytes }: Pick<Settings, 'maxBodyBytes'>) {
    this.#maxBytes = Math.max(LARGEST_BODIES * maxBodyBytes, MIN_BYTES);
  }

  /**
   * Waits until there is room; alone, anything has.
   *
   * @returns gives the room back
   * @throws TooManyAnswers after a while
   */
  async hold(bytes: number): Promise<() => void> {
    if (this.#waiting.length > 0 || !this.#fits(bytes)) await this.#wait(bytes);
    else this.#heldBytes += bytes;
    return () => {
      this.#heldBytes -= bytes;
      this.#admit();
    };
  }

  #fits(bytes: number): boolean {
    return this.#heldBytes === 0 || this.#heldBytes + bytes <= this.#maxBytes;
  }

  #wait(bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        bytes,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.#admit();
        reject(new TooManyAnswers());
      }, WAIT_MS);
      this.#waiting.push(waiting);
    });
  }

  /** In the order in which they came, so that a large one is not passed over for ever. */
  #admit(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#heldBytes += next.bytes;
      next.start();
    }
  }
}
