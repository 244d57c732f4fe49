import { setImmediate as nextTurn } from 'node:timers/promises';
import { slicesOf } from '../request/slices.js';
import type { BodyStream } from './api-response.js';

/** The number of UTF-16 units from which on a text is long: escaping fewer takes no noticeable time. */
const LONG_TEXT = 262_144;

/** The text as `JSON.stringify` writes it between its quotes. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * A JSON object with one long text, which becomes its last member. The text is escaped slice by slice, and other
 * requests run in between: 16 MiB of control characters become 96 MiB, and take more than half a second at once.
 */
export class LongJson implements BodyStream {
  readonly end = '"}';

  /** @param start the JSON up to the opening quote of the text */
  constructor(
    readonly start: string,
    readonly text: string,
  ) {}

  /** @returns undefined when the member is no long text */
  static from(object: object, member: string): LongJson | undefined {
    const { [member]: text, ...others } = object as Record<string, unknown>;
    if (typeof text !== 'string' || text.length < LONG_TEXT) return undefined;
    const start = JSON.stringify(others).slice(0, -1);
    return new LongJson(`${start}${start === '{' ? '' : ','}${JSON.stringify(member)}:"`, text);
  }

  /** The memory that it holds until it is closed. */
  get heldBytes(): number {
    return Buffer.byteLength(this.text);
  }

  async *chunks(): AsyncGenerator<string> {
    yield this.start;
    for (const slice of slicesOf(this.text)) {
      yield escapeJson(slice);
      await nextTurn();
    }
    yield this.end;
  }
}
