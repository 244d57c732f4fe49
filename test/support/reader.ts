import type { Reader } from '../../src/http/request/client-shares.js';

let count = 0;

/** A reader of a response, without lag. Each has its own client. */
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
