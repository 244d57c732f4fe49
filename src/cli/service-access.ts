import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  type Format,
  FORMATS,
  type Imported,
  ImportRefused,
  type LineFault,
  type PostsAccess,
  type PostsExport,
} from './posts-access.js';

interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  readonly query?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: AsyncIterable<Buffer>;
}

/** The shown members of a problem response (RFC 9457). */
interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly LineFault[];
}

export class ServiceAccess implements PostsAccess {
  /**
   * @param url its base URL, including the prefix
   * @param token for writing, if the service requires one
   */
  constructor(
    private readonly url: URL,
    private readonly token: string | undefined,
  ) {}

  async import(bytes: AsyncIterable<Buffer>, format: Format, cancel: AbortSignal): Promise<Imported> {
    const headers = { 'Content-Type': FORMATS[format], Accept: 'application/json' };
    const response = await this.#ask({ method: 'POST', headers, body: bytes }, cancel);
    const json = JSON.parse(await text(response)) as Record<string, number | null>;
    return { created: json['created']!, firstId: json['first_id']!, lastId: json['last_id']! };
  }

  async export(format: Format, cancel: AbortSignal): Promise<PostsExport> {
    const headers = { Accept: FORMATS[format], Prefer: 'count=exact' };
    const response = await this.#ask({ method: 'GET', query: 'ordering=id', headers }, cancel);
    return {
      total: Number(response.headers['x-total-count']),
      chunks: bytesOf(response),
      close: () => Promise.resolve(void response.destroy()),
    };
  }

  async close(): Promise<void> {}

  /** @returns the successful response @throws ImportRefused when the service found the body invalid */
  async #ask(
    { method, query, headers, body }: ServiceRequest,
    cancel: AbortSignal,
  ): Promise<IncomingMessage> {
    const path = `${this.url.pathname.replace(/\/$/, '')}/posts/${query === undefined ? '' : `?${query}`}`;
    const request = (this.url.protocol === 'https:' ? httpsRequest : httpRequest)(new URL(path, this.url), {
      method,
      headers: { ...headers, ...(this.token !== undefined && { Authorization: `Bearer ${this.token}` }) },
      signal: cancel,
    });
    const received = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject);
    });
    try {
      // The service may refuse before it has read the whole body. Its response gives the reason; the closed connection
      // does not.
      if (body) await Promise.race([pipeline(Readable.from(body, { objectMode: false }), request), received]);
      else request.end();
      return await accepted(await received);
    } catch (error) {
      cancel.throwIfAborted();
      throw named(error, this.url);
    }
  }
}

async function accepted(response: IncomingMessage): Promise<IncomingMessage> {
  const status = response.statusCode!;
  if (status >= 200 && status < 300) return response;
  let problem: Problem = {};
  try {
    problem = JSON.parse(await text(response)) as Problem;
  } catch {
    // The response is not from a Posts Service; only its status is usable.
  }
  if (status === 400 && problem.errors) throw new ImportRefused(problem.errors, problem.detail ?? '');
  const hint = status === 401 ? ' The first of API_TOKENS is sent.' : '';
  throw new Error(
    `The service responded with ${status}: ${problem.detail ?? problem.title ?? 'no reason'}${hint}`,
  );
}

async function* bytesOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* response as AsyncIterable<Buffer>;
  } catch (cause) {
    throw new Error('The connection to the service broke.', { cause });
  }
}

function named(error: unknown, { host }: URL): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined || error instanceof ImportRefused) return error;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new Error(`There is no service at ${host}.`, { cause: error });
  return new Error(
    `The connection to ${host} broke (${code}) before the response arrived: all posts were stored, or none.`,
    { cause: error },
  );
}
