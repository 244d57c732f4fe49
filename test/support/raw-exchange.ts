import { connect } from 'node:net';

/**
 * Sends bytes over a new connection and returns everything received until the service closes it, as Latin-1. Send
 * `Connection: close`, unless the service closes the connection by itself.
 */
export async function rawExchange(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  const received: Buffer[] = [];
  for await (const chunk of socket) received.push(chunk as Buffer);
  return Buffer.concat(received).toString('latin1');
}

/** The head of a request, with a Host: `headOf('GET /', 'Connection: close')`. */
export function headOf(line: string, ...fields: readonly string[]): string {
  return [`${line} HTTP/1.1`, 'Host: localhost', ...fields, '', ''].join('\r\n');
}

/** The parts of a raw response: its first line, its header fields (names in lower case) and its body. */
export function parseRawResponse(text: string) {
  const headEnd = text.indexOf('\r\n\r\n');
  const [line = '', ...fields] = text.slice(0, headEnd).split('\r\n');
  const headers: Record<string, string> = {};
  for (const [, name, value] of fields.join('\n').matchAll(/^(.*?): *(.*)$/gm))
    headers[name!.toLowerCase()] = value!;
  return { line, headers, body: text.slice(headEnd + 4) };
}
