/** How slowly an answer may be taken on average, once there was time to begin. */
const MIN_BYTES_PER_SECOND = 4_096;
const SLOW_START_MS = 60_000;

/**
 * Gives chunks on, and ends it when their reader takes them too slowly: what they are made from, such as a snapshot of
 * the database, must not be held for days. The time that it takes to make them is not the reader's.
 *
 * @param onTooSlow called once, while the reader has yet to take a chunk
 */
export async function* paced(
  chunks: AsyncIterable<Buffer>,
  onTooSlow: () => void,
): AsyncGenerator<Buffer, void, undefined> {
  let allowedMs = SLOW_START_MS;
  for await (const chunk of chunks) {
    allowedMs += timeToTakeMs(chunk.length);
    const startedAt = performance.now();
    const timer = setTimeout(onTooSlow, allowedMs);
    try {
      yield chunk;
    } finally {
      clearTimeout(timer);
    }
    allowedMs -= performance.now() - startedAt;
  }
}

/** The longest time that an answer of so many bytes may take to be taken. */
export function longestReadMs(bytes: number): number {
  return SLOW_START_MS + timeToTakeMs(bytes);
}

function timeToTakeMs(bytes: number): number {
  return (bytes / MIN_BYTES_PER_SECOND) * 1_000;
}
