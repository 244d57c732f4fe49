import { type Agent, type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** A request exactly as it is sent. Only `Host` and the framing of the body are added. */
export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent unchanged. */
  readonly body?: string | Buffer;
  /** Sent as JSON, with its media type. */
  readonly json?: unknown;
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent one after another, with chunked transfer coding and without Content-Length. */
  readonly chunks?: readonly (string | Buffer)[];
  /** A client with its own address or connections. */
  readonly agent?: Agent;
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

/**
 * Header fields of every response or of the connection. They are left out of `shown`; response-rules.ts checks them for
 * all responses.
 */
const COMMON_HEADERS =
  /^(?:connection|content-length|content-security-policy|cross-origin-resource-policy|date|keep-alive|last-modified|referrer-policy|transfer-encoding|x-content-type-options|x-frame-options|x-request-id)$/;

/** A response as it was received. */
export class HttpResponse {
  /** Names in lower case. The values of a repeated field are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly status: number,
    /** Names and values alternate, in the order received. */
    readonly rawHeaders: readonly string[],
    /** The body as received, compressed or not. */
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

  /** The body, decoded from its content coding. */
  get text(): string {
    const coding = this.headers['content-encoding'];
    if (coding === 'br') return brotliDecompressSync(this.bytes).toString();
    if (coding === 'gzip') return gunzipSync(this.bytes).toString();
    return this.bytes.toString();
  }

  /** The targets of `Link` by relation. The parser is strict, so that any client can read what it accepts. */
  get links(): Readonly<Record<string, string>> {
    const links: Record<string, string> = {};
    for (const text of this.headers['link']?.split(/, (?=<)/) ?? []) {
      const [, target, attributes = ''] = /^<([^<>"\s]*)>((?:; [a-z]+="[^"\\]*")*)$/.exec(text) ?? [];
      const rel = /; rel="([^"]*)"/.exec(attributes)?.[1];
      if (target === undefined || rel === undefined) throw new Error(`This is not a link: ${text}`);
      if (rel in links) throw new Error(`There are two links with rel="${rel}".`);
      links[rel] = target;
    }
    return links;
  }

  json<Value>(): Value {
    return JSON.parse(this.text) as Value;
  }

  /** The response for a comparison, without the header fields of every response. An empty body is left out. */
  get shown(): { status: number; headers: Record<string, string>; body?: unknown } {
    const headers = Object.fromEntries(
      Object.entries(this.headers).filter(([name]) => !COMMON_HEADERS.test(name)),
    );
    if (this.bytes.length === 0) return { status: this.status, headers };
    const isJson = /^application\/(?:[\w.]+\+)?json\b/.test(this.headers['content-type'] ?? '');
    return { status: this.status, headers, body: isJson ? this.json() : this.text };
  }

  /** The problem document without `instance` and `request_id`. Those two are checked for all responses. */
  get problem(): Omit<ProblemJson, 'instance' | 'request_id'> {
    const { instance: _instance, request_id: _requestId, ...rest } = this.json<ProblemJson>();
    return rest;
  }

  /** The locations of the errors in a problem, such as `pointer /title`, in order. */
  get faultyPlaces(): string[] {
    return (this.problem.errors ?? []).map(({ detail: _detail, code: _code, limit: _limit, ...place }) =>
      Object.entries(place)
        .map(([kind, name]) => `${kind} ${name}`)
        .join(),
    );
  }
}

/** Sends a request and reads the whole response. Does not follow redirects and does not retry. */
export async function exchange(
  port: number,
  method: string,
  path: string,
  options: RequestOptions,
): Promise<HttpResponse> {
  const { agent, json, form, chunks = [], headers = {} } = options;
  const encoded = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json);
  const body = encoded ?? options.body;
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  const request = openRequest({
    host: '127.0.0.1',
    port,
    method,
    path,
    agent,
    // A link to the next page repeats the whole query.
    maxHeaderSize: 131_072,
    headers: {
      // Without Content-Length, Node does not frame the body of a DELETE.
      ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
      ...(encoded !== undefined && { 'Content-Type': type }),
      ...headers,
    },
  });
  const received = responseTo(request);
  for (const chunk of chunks) request.write(chunk);
  request.end(body);
  return received;
}

/** Resolves with the whole response to a request. Connection errors after that are ignored. */
export function responseTo(request: ClientRequest): Promise<HttpResponse> {
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
