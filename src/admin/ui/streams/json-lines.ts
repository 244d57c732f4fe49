/** Parses NDJSON as it arrives. A broken connection rejects; it never ends the list early. */
export async function* jsonLines<Value>(stream: ReadableStream<Uint8Array>): AsyncGenerator<Value> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const piece of piecesOf(stream)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Value;
  }
  rest += decoder.decode();
  if (rest !== '') yield JSON.parse(rest) as Value;
}

/** Iterates the chunks of a stream to its end. (Safari's streams are not async iterable.) */
export async function* piecesOf<Piece>(stream: ReadableStream<Piece>): AsyncGenerator<Piece> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
