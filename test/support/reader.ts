import type { Reader } from '../../src/http/response/response-reader.js';

let count = 0;

/** A reader as fast as it must be, of a client of its own. */
export function aReader(overrides: Partial<Reader> = {}): Reader {
  count += 1;
  return {
    client: `client ${count}`,
    signal: new AbortController().signal,
    lagMs: () => -1,
    end: () => undefined,
    ...overrides,
  };
}
