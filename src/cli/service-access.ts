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

/** The shown members of a problem response (RFC 9457). A response of another server has none of them. */
interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly LineFault[];
}

/** The posts of a running service, over its API. */
export class ServiceAccess implements PostsAccess {
  readonly #url: URL;

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
    this.#url = new URL(url.endsWith('/') ? url : `${url}/`);
  }

  async import(bytes: AsyncIterable<Buffer>, format: Format, { cancel }: Watch): Promise<Imported> {
    const headers = { 'Content-Type': FORMATS[format] };
    const response = await this.#ask('posts/', { method: 'POST', headers, body: bytes, signal: cancel });
    return (await response.json()) as Imported;
  }

  async export(format: Format, { cancel }: Watch): Promise<PostsExport> {
    const headers = { Accept: FORMATS[format], Prefer: 'count=exact' };
    const response = await this.#ask('posts/?ordering=id', { headers, signal: cancel });
    return { total: Number(response.headers.get('X-Total-Count')), chunks: response.body! };
  }

  /** @returns the successful response @throws ImportRefused when the service found the body invalid */
  async #ask(path: string, options: RequestInit): Promise<Response> {
    const headers = new Headers(options.headers);
    if (this.token !== undefined) headers.set('Authorization', `Bearer ${this.token}`);
    const url = new URL(path, this.#url);
    const response = await fetch(url, { ...options, headers, duplex: 'half' }).catch((cause: unknown) => {
      throw explained(cause as Error, url.host);
    });
    if (response.ok) return response;
    const problem = (await response.json().catch(() => ({}))) as Problem;
    if (response.status === 400 && problem.errors) throw new ImportRefused(problem.errors, problem.detail);
    const reason = problem.detail ?? problem.title ?? 'no reason';
    const hint = response.status === 401 ? ' The first of API_TOKENS is sent.' : '';
    throw new Error(`The service responded with ${response.status}: ${reason}${hint}`);
  }
}

/** @param fault of `fetch`; its cause says more */
function explained(fault: Error, host: string): Error {
  const { code } = (fault.cause ?? {}) as NodeJS.ErrnoException;
  if (code === undefined) return fault;
  const message = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)
    ? `There is no service at ${host}.`
    : `The connection to ${host} broke (${code}) before the response arrived: all posts were stored, or none.`;
  return new Error(message, { cause: fault });
}
