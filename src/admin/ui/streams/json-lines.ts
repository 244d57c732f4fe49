type Bytes = Uint8Array<ArrayBuffer>;

/** Splits bytes into lines without their line feeds; skips blank lines. */
async function* linesOf(pieces: AsyncIterable<Bytes>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield rest;
}

/** Parses NDJSON as it arrives. A broken connection rejects; it never ends the list early. */
export async function* jsonLines<Value>(pieces: AsyncIterable<Bytes>): AsyncGenerator<Value> {
  for await (const line of linesOf(pieces)) yield JSON.parse(line) as Value;
}

/** Iterates the chunks of a stream. Ending the loop early cancels it. (Safari's streams are not async iterable.) */
export async function* piecesOf<Piece>(stream: ReadableStream<Piece>): AsyncGenerator<Piece> {
  const reader = stream.getReader();
  let isFinished = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        isFinished = true;
        return;
      }
      yield value;
    }
  } finally {
    if (!isFinished) await reader.cancel().catch(() => undefined);
  }
}
