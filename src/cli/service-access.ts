import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { UsageError } from './command.js';
import {
  type Format,
  FORMATS,
  type Imported,
  ImportRefused,
  type LineFault,
  type PostsAccess,
  type PostsExport,
  type Watch,
} from './posts-access.js';

/** The shown members of a problem response (RFC 9457). */
interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly LineFault[];
}

/**
 * The posts of a running service, over its API. It uses `node:http`, because `fetch` gives up a request that gets no
 * response for five minutes, which a large import can take.
 */
export class ServiceAccess implements PostsAccess {
  private readonly url: URL;

  /**
   * @param url its base URL, including the prefix
   * @param token for writing, if the service requires one
   * @throws UsageError
   */
  constructor(
    url: string,
    private readonly token: string | undefined,
  ) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new UsageError('--url: must be an http or https URL.');
    this.url = new URL(url);
  }

  async import(bytes: AsyncIterable<Buffer>, format: Format, { cancel }: Watch): Promise<Imported> {
    const headers = { 'Content-Type': FORMATS[format], Accept: 'application/json' };
    const response = await this.#ask('/posts/', { method: 'POST', headers, signal: cancel }, bytes);
    return JSON.parse(await text(response)) as Imported;
  }

  async export(format: Format, { cancel }: Watch): Promise<PostsExport> {
    const headers = { Accept: FORMATS[format], Prefer: 'count=exact' };
    const response = await this.#ask('/posts/?ordering=id', { headers, signal: cancel });
    return { total: Number(response.headers['x-total-count']), chunks: chunksOf(response) };
  }

  /** @returns the successful response @throws ImportRefused when the service found the body invalid */
  async #ask(path: string, options: RequestOptions, body?: AsyncIterable<Buffer>): Promise<IncomingMessage> {
    const url = new URL(this.url.pathname.replace(/\/$/, '') + path, this.url);
    const authorization = this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` };
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      ...options,
      headers: { ...(options.headers as Record<string, string>), ...authorization },
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
      throw explained(error, url.host);
    }
  }
}

async function* chunksOf(response: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* response as AsyncIterable<Buffer>;
  } catch (cause) {
    throw new Error('The connection to the service broke.', { cause });
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
  if (status === 400 && problem.errors) throw new ImportRefused(problem.errors, problem.detail);
  const reason = problem.detail ?? problem.title ?? 'no reason';
  const hint = status === 401 ? ' The first of API_TOKENS is sent.' : '';
  throw new Error(`The service responded with ${status}: ${reason}${hint}`);
}

function explained(cause: unknown, host: string): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === undefined) return cause;
  const message = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)
    ? `There is no service at ${host}.`
    : `The connection to ${host} broke (${code}) before the response arrived: all posts were stored, or none.`;
  return new Error(message, { cause });
}
