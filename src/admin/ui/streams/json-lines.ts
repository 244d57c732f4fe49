type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Splits a byte stream into lines without their line feeds; skips blank lines. */
async function* linesOf(bytes: Bytes): AsyncGenerator<string> {
  let rest = '';
  for await (const text of piecesOf(bytes.pipeThrough(new TextDecoderStream('utf-8', { fatal: true })))) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  if (rest.trim() !== '') yield rest;
}

/** Parses NDJSON as it arrives. A broken connection rejects; it never ends the list early. */
export async function* jsonLines<Value>(bytes: Bytes): AsyncGenerator<Value> {
  for await (const line of linesOf(bytes)) yield JSON.parse(line) as Value;
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
