import type { Request, Response } from 'express';
import { CrossOriginWrite } from '../../problem-details/problems.js';
import type { Settings } from '../../settings/settings.js';

const EXPOSED_HEADERS =
  'ETag, Idempotency-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, ' +
  'X-Request-Id, X-Total-Count';
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-Modified-Since, If-None-Match, If-Unmodified-Since, ' +
  'Prefer, X-Request-Id';
const PREFLIGHT_MAX_AGE_SECONDS = 600;

/** Whether the request is a CORS preflight (https://fetch.spec.whatwg.org/#cors-preflight-request). */
export function isPreflight({ method, headers }: Request): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

/** What pages of other origins may do: read and write the API when CORS_ORIGINS names their origin, else nothing. */
export class Origins {
  readonly #allowed: ReadonlySet<string>;
  readonly #publicOrigin: string | undefined;

  constructor({ corsOrigins, publicUrl }: Pick<Settings, 'corsOrigins' | 'publicUrl'>) {
    this.#allowed = new Set(corsOrigins);
    this.#publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  }

  /**
   * Rejects a write that a browser sends for a page of another origin. Without it, any page that a user visits could
   * write to an open service on the user's computer. It needs no token and no cookie: browsers send the origin of a
   * request (Fetch Metadata; RFC 6454 §7). Other clients send no origin and pass.
   *
   * @throws CrossOriginWrite
   */
  assertMayWrite(request: Request): void {
    if (this.#isAllowed(request)) return;
    const { origin, 'sec-fetch-site': site } = request.headers;
    const isOfOtherSite = site === 'cross-site' || site === 'same-site';
    if (isOfOtherSite || (origin !== undefined && !this.#isOurs(origin, request))) {
      throw new CrossOriginWrite();
    }
  }

  /** Sets the header fields that let a page of an allowed origin read the response. */
  share(request: Request, response: Response): void {
    if (this.#allowed.size === 0 || !isOfApi(request)) return;
    response.appendHeader('Vary', 'Origin');
    if (!this.#isAllowed(request)) return;
    response.setHeader('Access-Control-Allow-Origin', request.headers.origin!);
    response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
  }

  /** Sets the header fields that only a preflight needs. @param allow the methods of the path */
  answerPreflight(request: Request, response: Response, allow: string): void {
    if (!isPreflight(request) || !this.#isAllowed(request)) return;
    response.setHeader('Access-Control-Allow-Methods', allow);
    response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    response.setHeader('Access-Control-Max-Age', String(PREFLIGHT_MAX_AGE_SECONDS));
  }

  #isAllowed(request: Request): boolean {
    const { origin } = request.headers;
    return origin !== undefined && this.#allowed.has(origin) && isOfApi(request);
  }

  /** Without PUBLIC_URL, the scheme is not compared: a proxy may terminate TLS without reporting it. */
  #isOurs(origin: string, request: Request): boolean {
    if (this.#publicOrigin !== undefined) return origin === this.#publicOrigin;
    if (!/^https?:/.test(origin) || !URL.canParse(origin)) return false;
    const { protocol, host } = new URL(origin);
    const ours = `${protocol}//${request.context.host}`;
    return URL.canParse(ours) && new URL(ours).host === host;
  }
}

/** CORS_ORIGINS opens the API. The administration site has pages of its own only. */
function isOfApi({ context: { path } }: Request): boolean {
  return path !== '/admin' && path?.startsWith('/admin/') !== true;
}
