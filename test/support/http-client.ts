import { type Agent, type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** What is sent, to the last byte: nothing is added but `Host` and the framing of the body. */
export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as it is. */
  readonly body?: string | Buffer;
  /** Sent as JSON, with its media type. */
  readonly json?: unknown;
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent one after the other, in chunks, without Content-Length. */
  readonly chunks?: readonly (string | Buffer)[];
}

/** A request as it went out. */
export interface SentRequest {
  readonly method: string;
  /** The path with its query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

export interface ProblemJson {
  type: string;
  code: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  request_id: string;
  errors?: {
    detail: string;
    code: string;
    limit?: number;
    pointer?: string;
    parameter?: string;
    header?: string;
  }[];
}

/** Header fields that every response has, or that belong to the connection; they are checked for all responses at once. */
const COMMON_HEADERS = new Set([
  'connection',
  'content-length',
  'content-security-policy',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'last-modified',
  'referrer-policy',
  'transfer-encoding',
  'x-content-type-options',
  'x-frame-options',
  'x-request-id',
]);

/** A response as it came in. */
export class HttpResponse {
  /** Names in lower case; the values of a repeated field joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly status: number,
    /** Names and values, in turn, as they came. */
    readonly rawHeaders: readonly string[],
    /** The body as it came, compressed or not. */
    readonly bytes: Buffer,
  ) {
    const headers: Record<string, string> = {};
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index]!.toLowerCase();
      const value = rawHeaders[index + 1]!;
      headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
    }
    this.headers = headers;
  }

  get etag(): string {
    return this.headers['etag'] ?? '';
  }

  /** The body, its content coding undone. */
  get text(): string {
    const coding = this.headers['content-encoding'];
    if (coding === 'br') return brotliDecompressSync(this.bytes).toString();
    if (coding === 'gzip') return gunzipSync(this.bytes).toString();
    return this.bytes.toString();
  }

  json<Value>(): Value {
    return JSON.parse(this.text) as Value;
  }

  /** The whole answer for a comparison: all but what every response has. Without a body there is none here either. */
  get shown(): { status: number; headers: Record<string, string>; body?: unknown } {
    const headers = Object.fromEntries(
      Object.entries(this.headers).filter(([name]) => !COMMON_HEADERS.has(name)),
    );
    if (this.bytes.length === 0) return { status: this.status, headers };
    const isJson = /^application\/(?:[\w.]+\+)?json\b/.test(this.headers['content-type'] ?? '');
    return { status: this.status, headers, body: isJson ? this.json() : this.text };
  }

  /**
   * The problem document, but for its `instance` and `request_id`: that these fit the request is checked for all
   * answers at once.
   */
  get problem(): Omit<ProblemJson, 'instance' | 'request_id'> {
    const { instance: _instance, request_id: _requestId, ...rest } = this.json<ProblemJson>();
    return rest;
  }

  /** The places of the faults that a problem names, such as `pointer /title`, in their order. */
  get faultyPlaces(): string[] {
    return (this.problem.errors ?? []).map(({ detail: _detail, code: _code, limit: _limit, ...place }) =>
      Object.entries(place)
        .map(([kind, name]) => `${kind} ${name}`)
        .join(),
    );
  }
}

/** Sends a request and reads the response to its end. Redirects are not followed, faults are not repaired. */
export async function exchange(
  port: number,
  sent: SentRequest,
  { body, chunks }: { body?: string | Buffer | undefined; chunks?: readonly (string | Buffer)[] | undefined },
  agent: Agent,
): Promise<HttpResponse> {
  const { method, target, headers } = sent;
  // Node frames the body of a DELETE only when it is told its length.
  const framing: Record<string, string> = {};
  if (body !== undefined) framing['Content-Length'] = String(Buffer.byteLength(body));
  const request = openRequest({
    host: '127.0.0.1',
    port,
    method,
    path: target,
    agent,
    // A link to the next page repeats all that the query held.
    maxHeaderSize: 131_072,
    headers: mutable({ ...framing, ...headers }),
  });
  const answered = answerTo(request);
  if (chunks) {
    for (const chunk of chunks) request.write(chunk);
    request.end();
  } else {
    request.end(body);
  }
  return answered;
}

/** Resolves with the response to a request; a connection that breaks after that does not matter. */
export function answerTo(request: ClientRequest): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      read(response).then(resolve, reject);
    });
  });
}

async function read(response: IncomingMessage): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return new HttpResponse(response.statusCode!, response.rawHeaders, Buffer.concat(chunks));
}

function mutable(headers: SentRequest['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
}
