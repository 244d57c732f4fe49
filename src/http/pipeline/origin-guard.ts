import type { Request, Response } from 'express';
import { CrossOriginWrite } from '../../problem-details/problems.js';
import type { Settings } from '../../settings/settings.js';
import { hostOf } from './host.js';

/**
 * Rejects writes that a browser sends for a page of another origin. Without it, any page that a user visits could write
 * to an open service on the user's computer.
 *
 * It needs no token and no cookie: browsers send the origin of a request (Fetch Metadata; RFC 6454 §7). Other clients
 * send no origin and pass.
 */
export class OriginGuard {
  readonly #allowedOrigins: ReadonlySet<string>;
  readonly #publicOrigin: string | undefined;

  constructor({ corsOrigins, publicUrl }: Settings) {
    this.#allowedOrigins = new Set(corsOrigins);
    this.#publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  }

  /** @throws CrossOriginWrite */
  assertMayWrite(request: Request): void {
    const { headers } = request;
    const { origin } = headers;
    if (origin !== undefined && this.#allowedOrigins.has(origin) && isOfApi(request)) return;
    const site = headers['sec-fetch-site'];
    if (
      site === 'cross-site' ||
      site === 'same-site' ||
      (origin !== undefined && !this.#isOurs(origin, request))
    ) {
      throw new CrossOriginWrite(
        'A page of another origin may not write, unless CORS_ORIGINS names its origin.',
      );
    }
  }

  /** Without PUBLIC_URL, the scheme is not compared: a proxy may terminate TLS without reporting it. */
  #isOurs(origin: string, request: Request): boolean {
    if (this.#publicOrigin !== undefined) return origin === this.#publicOrigin;
    const parsed = URL.canParse(origin) ? new URL(origin) : undefined;
    if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return false;
    const host = `${parsed.protocol}//${hostOf(request)}`;
    return URL.canParse(host) && new URL(host).host === parsed.host;
  }
}

/** CORS_ORIGINS opens the API. The administration site has pages of its own only. */
function isOfApi({ context: { path } }: Request): boolean {
  return path !== '/admin' && path?.startsWith('/admin/') !== true;
}

const EXPOSED_HEADERS = [
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
  'X-Total-Count',
].join(', ');
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Unmodified-Since',
  'Prefer',
  'X-Request-Id',
].join(', ');
const PREFLIGHT_MAX_AGE_SECONDS = 600;

/** Whether the request is a CORS preflight (https://fetch.spec.whatwg.org/#cors-preflight-request). */
export function isPreflight({ method, headers }: Request): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

/** Cross-origin resource sharing (https://fetch.spec.whatwg.org/#http-cors-protocol) for the origins of CORS_ORIGINS. */
export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** Sets the header fields that let a page of an allowed origin read the response. */
  share(request: Request, response: Response): void {
    if (this.#origins.size === 0 || !isOfApi(request)) return;
    response.appendHeader('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !this.#origins.has(origin)) return;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
  }

  /** Sets the header fields that only a preflight needs. @param allow the methods of the path */
  preflightResponse(request: Request, response: Response, allow: string): void {
    if (!isPreflight(request) || !response.hasHeader('Access-Control-Allow-Origin')) return;
    response.setHeader('Access-Control-Allow-Methods', allow);
    response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    response.setHeader('Access-Control-Max-Age', String(PREFLIGHT_MAX_AGE_SECONDS));
  }
}
