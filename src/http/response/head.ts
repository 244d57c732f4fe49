// oxlint-disable no-underscore-dangle -- these are Node's names
import type { Request, Response } from 'express';
import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import type { Settings } from '../../settings/settings.js';

/** A year, as browsers want it before they take a host at its word. */
const STRICT_TRANSPORT = 'max-age=31536000';

/**
 * What every response tells browsers (OWASP's cheat sheets for REST and for HTTP headers): it is what its media type says,
 * runs and loads nothing, stands in nobody's frame, and is nobody else's image or script. Pages of other origins that
 * CORS_ORIGINS names read it all the same: what CORS lets through, `Cross-Origin-Resource-Policy` is not asked about.
 */
export const SECURITY_FIELDS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** What a page tells browsers besides. @param policy its own Content-Security-Policy */
export function pageFields(policy: readonly string[]): Record<string, string> {
  return {
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}

/**
 * The `Strict-Transport-Security` of all responses: only the operator knows that the service is reached by https and will
 * be, and says so by PUBLIC_URL. It holds for no subdomains, which are not ours to speak for.
 */
export function strictTransportOf({ publicUrl }: Pick<Settings, 'publicUrl'>): string | undefined {
  return publicUrl?.startsWith('https:') ? STRICT_TRANSPORT : undefined;
}

/** What Node takes its own conclusions from, such as that the connection ends with the response. */
const FIELDS_OF_NODE: ReadonlySet<string> = new Set([
  'connection',
  'date',
  'expect',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Where the fields have the request's id, which is filled in for each. */
const ID_AT = 1;

/**
 * What of Node's `ServerResponse` a head relies on besides its public interface. Node 20 to 24 have it alike, it is what
 * `writeHead` and `end` themselves say to each other, and where it is not as expected `writeHead` is used instead; a test
 * compares the bytes of both.
 */
interface NodeResponse {
  /** The text of the header, null until there is one; `end` sends it, with what it is given itself behind it. */
  _header: string | null;
  /** False where no body may follow. */
  _hasBody: boolean;
  /** In milliseconds; 0 when connections are not kept. */
  _keepAliveTimeout: number;
}

/**
 * The status and the header fields of a response, which may be sent any number of times.
 *
 * `writeHead` checks and joins all fields for each response, though none changes but the request's id and the date;
 * and what `end` is given goes out as two pieces, the second of them empty. With a text that is made once, and has an
 * ASCII body behind it, a response from the cache takes a fifth to a quarter less of the processor.
 */
export class Head {
  /** What stands before the request's id, and what follows it. */
  #text: readonly [before: string, after: string] | undefined;
  readonly #hasBody: boolean;
  readonly #isPlain: boolean;

  /** @param fields names and values in turn, the first of them `X-Request-Id` without a value */
  constructor(
    readonly status: number,
    readonly fields: readonly string[],
  ) {
    this.#hasBody = status !== 204 && status !== 304;
    const isDelimited = !this.#hasBody || fields.includes('Content-Length');
    const names = fields.filter((_, index) => index % 2 === 0);
    this.#isPlain = isDelimited && !names.some((name) => FIELDS_OF_NODE.has(name.toLowerCase()));
  }

  /** @param encoding `latin1` when the body is a text of ASCII alone, which is copied faster by this name */
  send(request: Request, response: Response, body: string | Buffer, encoding: 'latin1' | 'utf8'): void {
    if (!this.#isOrdinary(request, response)) {
      this.write(request, response);
      response.end(body, encoding);
      return;
    }
    const node = response as unknown as NodeResponse;
    const { id, strictTransport } = request.context;
    const [before, after] = (this.#text ??= textOf(this.status, this.fields));
    const transport =
      strictTransport === undefined ? '' : `Strict-Transport-Security: ${strictTransport}\r\n`;
    const header = before + id + after + transport + connectionFields(node._keepAliveTimeout);
    response.statusCode = this.status;
    if (!this.#hasBody) node._hasBody = false;
    if (encoding === 'latin1') {
      node._header = header + (body as string);
      response.end();
      // Some responses outlive a garbage collection, and would keep their bodies.
      node._header = before;
    } else {
      node._header = header;
      response.end(body);
    }
  }

  /** Has the head sent with the first of a body that comes in pieces. */
  write(request: Request, response: Response): void {
    response.writeHead(this.status, fieldsFor(this.fields, request, response));
  }

  /** Whether nothing has to be said but the fields themselves, and that the connection is kept. */
  #isOrdinary(request: Request, response: Response): boolean {
    const { _header, _hasBody, _keepAliveTimeout } = response as unknown as NodeResponse;
    return (
      this.#isPlain &&
      request.httpVersion === '1.1' &&
      request.headers.expect === undefined &&
      response.shouldKeepAlive &&
      response.getHeaderNames().length === 0 &&
      _header === null &&
      typeof _hasBody === 'boolean' &&
      _keepAliveTimeout > 0
    );
  }
}

/** Checks the fields as `writeHead` does: a value with a line break in it would be another field. */
function textOf(status: number, fields: readonly string[]): readonly [before: string, after: string] {
  const lines: string[] = [];
  for (let index = ID_AT + 1; index < fields.length; index += 2) {
    const name = fields[index]!;
    const value = fields[index + 1]!;
    validateHeaderName(name);
    validateHeaderValue(name, value);
    lines.push(`${name}: ${value}\r\n`);
  }
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields[0]}: `, ['\r\n', ...lines].join('')];
}

let lastSecond: number | undefined;
let lastTimeoutMs: number | undefined;
let lastText = '';

/** The fields that Node adds, and the end of the header: the same text for a second. */
function connectionFields(keepAliveTimeoutMs: number): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== lastSecond || keepAliveTimeoutMs !== lastTimeoutMs) {
    lastSecond = second;
    lastTimeoutMs = keepAliveTimeoutMs;
    lastText = [
      `Date: ${new Date(second * 1_000).toUTCString()}`,
      'Connection: keep-alive',
      `Keep-Alive: timeout=${Math.floor(keepAliveTimeoutMs / 1_000)}`,
      '\r\n',
    ].join('\r\n');
  }
  return lastText;
}

/** All fields as `writeHead` takes them fastest. */
function fieldsFor(fields: readonly string[], { context }: Request, response: Response): string[] {
  const all = fields.slice();
  all[ID_AT] = context.id;
  if (context.strictTransport !== undefined) all.push('Strict-Transport-Security', context.strictTransport);
  // Node's own may be of a second ago, before Last-Modified.
  if (all.includes('Last-Modified')) all.push('Date', new Date().toUTCString());
  // `writeHead` replaces what was set before, and both lists hold (CORS sets one).
  const vary = response.getHeader('Vary');
  if (vary !== undefined) {
    const at = all.indexOf('Vary');
    if (at < 0) all.push('Vary', String(vary));
    else all[at + 1] += `, ${String(vary)}`;
  }
  return all;
}
