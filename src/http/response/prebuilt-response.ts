// oxlint-disable no-underscore-dangle -- these are Node's names
import type { Response } from 'express';
import {
  IncomingMessage,
  ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';

export type Fields = Readonly<Record<string, string>>;

/** The status and the header fields of a response, without those of the request and of the connection. */
export interface Head {
  readonly status: number;
  readonly fields: Fields;
  /** Until when it has the right `Last-Modified`, in milliseconds since 1970. */
  readonly untilMs: number;
  /** The status line and the fields, as they are sent. Made when it is needed. */
  text?: string;
}

/**
 * Validates the fields as `writeHead` does: a value with a line break would inject another field. Joined, because a text
 * of `+=` keeps all of its pieces in memory, and responses are cached.
 */
export function linesOf(fields: Fields): string {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    lines.push(name, ': ', value, '\r\n');
  }
  return lines.join('');
}

/** The fields by which Node's `writeHead` and `end` communicate, the same in Node 20 to 24. */
interface NodeResponse {
  /** The text of the header, null until it is set. `end` sends it before its own argument. */
  _header: string | null;
  /** False when no body may follow. */
  _hasBody: boolean;
  /** In milliseconds; 0 disables keep-alive. */
  _keepAliveTimeout: number;
}

/** Whether this version of Node sends the text of `_header` as the whole response. If not, all use `writeHead`. */
export function sendsHeaderText(response = new ServerResponse(new IncomingMessage(new Socket()))): boolean {
  const node = response as unknown as NodeResponse;
  if (node._header !== null || !node._hasBody || typeof node._keepAliveTimeout !== 'number') return false;
  const sent = new PassThrough();
  response.assignSocket(sent as unknown as Socket);
  node._header = 'the whole response';
  response.end();
  return String(sent.read()) === 'the whole response';
}

/** Checked once, at the start. */
export const SENDS_HEADER_TEXT = sendsHeaderText();

/** A copy of a longer body would take longer than a second chunk. */
const MAX_COPIED_BYTES = 65_536;

/** The second of the last response, and its `Date`. */
let second = 0;
let date = '';

/**
 * Sends a response whose header was joined before, and to which Node has to add nothing but Date and the fields of a
 * persistent connection. `writeHead` checks and joins all fields for each response, and the argument of `end` is sent as
 * two chunks: measured, a cached response then takes a quarter more processor time. A test compares the bytes with those
 * of `writeHead`.
 *
 * @param ownLines the fields of this request
 * @returns false when only `writeHead` knows the right fields; then nothing was sent
 */
export function sendPrebuilt(
  response: Response,
  head: Head,
  ownLines: string,
  body: string | Buffer,
  bytes: number,
): boolean {
  const { status, fields } = head;
  const node = response as unknown as NodeResponse;
  const { httpVersion, headers } = response.req;
  const isUsual = httpVersion === '1.1' && headers.expect === undefined && response.shouldKeepAlive;
  const isUntouched = node._header === null && response.getHeaderNames().length === 0;
  const hasBody = status !== 204 && status !== 304;
  const isComplete = !('Connection' in fields) && (!hasBody || 'Content-Length' in fields);
  if (
    !SENDS_HEADER_TEXT ||
    isPatched(response) ||
    !isComplete ||
    !isUsual ||
    !isUntouched ||
    !(node._keepAliveTimeout > 0)
  )
    return false;
  const text = (head.text ??= [`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`, linesOf(fields)].join(''));
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) date = new Date(now * 1_000).toUTCString();
  second = now;
  const seconds = Math.floor(node._keepAliveTimeout / 1_000);
  const persistent = `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n`;
  const header = `${text}${ownLines}Date: ${date}\r\n${persistent}\r\n`;
  response.statusCode = status;
  node._hasBody &&= hasBody;
  if (bytes <= MAX_COPIED_BYTES) {
    node._header = header + latin1Of(body, bytes);
    response.end();
  } else {
    node._header = header;
    response.end(body);
  }
  // Some responses survive a garbage collection and would keep their bodies in memory.
  node._header = text;
  return true;
}

const methodOfAll = (name: 'writeHead' | 'end'): unknown => Reflect.get(ServerResponse.prototype, name);
/** As they are at the start. */
const NODES = { writeHead: methodOfAll('writeHead'), end: methodOfAll('end') };

/**
 * A middleware that replaces these methods of a response, such as a session that sets its cookie, or a tool that replaces
 * them for all responses, expects them to be called.
 */
function isPatched(response: Response): boolean {
  if (Object.hasOwn(response, 'writeHead') || Object.hasOwn(response, 'end')) return true;
  return methodOfAll('writeHead') !== NODES.writeHead || methodOfAll('end') !== NODES.end;
}

/** The bytes of a body as a text with a character for each: Node sends a header in Latin-1. */
function latin1Of(body: string | Buffer, bytes: number): string {
  const isAscii = typeof body === 'string' && body.length === bytes;
  return isAscii ? body : (typeof body === 'string' ? Buffer.from(body) : body).toString('latin1');
}
