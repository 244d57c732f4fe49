type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** The lines of a text that comes as bytes, without their line feeds; blank ones are left out. */
async function* linesOf(bytes: Bytes): AsyncGenerator<string> {
  let rest = '';
  for await (const text of piecesOf(bytes.pipeThrough(new TextDecoderStream('utf-8', { fatal: true })))) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  if (rest.trim() !== '') yield rest;
}

/** The values of NDJSON, as they come. A connection that breaks rejects; it never ends the list early. */
export async function* jsonLines<Value>(bytes: Bytes): AsyncGenerator<Value> {
  for await (const line of linesOf(bytes)) yield JSON.parse(line) as Value;
}

/**
 * What a stream brings, piece by piece. Whoever stops listening cancels it. (Safari's streams cannot be iterated by
 * themselves.)
 */
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
