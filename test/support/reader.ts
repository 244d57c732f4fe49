import type { Reader } from '../../src/http/response/response-reader.js';

let count = 0;

/** A reader that is fast enough, from its own client. */
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
