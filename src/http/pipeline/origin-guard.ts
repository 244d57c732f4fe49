import type { Request, Response } from 'express';
import { CrossOriginWrite, HostNotAllowed } from '../../problem-details/problems.js';
import type { Settings } from '../../settings/settings.js';
import { isLoopbackHost } from './host.js';

/**
 * Refuses writes that a browser sends on behalf of a page that is not ours, and anything asked for by a name that should
 * not lead here, so that an open service on a laptop cannot be written to, or read, by any page its owner visits. It needs no token and no cookie: browsers say where a request comes from
 * (Fetch Metadata; RFC 6454 §7), other clients say nothing and are let through.
 */
export class OriginGuard {
  readonly #allowedOrigins: ReadonlySet<string>;
  /** Reached on loopback and by nothing else: then a name that is not loopback's was made to point here (DNS rebinding). */
  readonly #loopbackOnly: boolean;
  readonly #publicOrigin: string | undefined;
  readonly #basePath: string;

  constructor({ basePath, corsOrigins, publicUrl, trustProxy, host }: Settings) {
    this.#basePath = basePath;
    this.#allowedOrigins = new Set(corsOrigins);
    this.#publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
    this.#loopbackOnly = publicUrl === undefined && trustProxy === false && isLoopbackHost(canonical(host));
  }

  /**
   * Refuses what a page could ask for, and read, by a name of its own that it makes point to this machine.
   *
   * @throws HostNotAllowed
   */
  assertHostAllowed({ headers: { host }, context }: Request): void {
    if (!this.#loopbackOnly) return;
    // HTTP/1.0 has none, and what has none is no browser.
    for (const name of [host, context.targetAuthority]) {
      if (!name || isLoopbackHost(name)) continue;
      // The links of the problem are relative: they do not repeat the host that is refused.
      context.baseUrl = this.#basePath;
      throw new HostNotAllowed();
    }
  }

  /** @throws CrossOriginWrite */
  assertMayWrite(request: Request): void {
    const { headers } = request;
    const { origin } = headers;
    if (origin !== undefined && this.#allowedOrigins.has(origin)) return;
    const site = headers['sec-fetch-site'];
    if (
      site === 'cross-site' ||
      site === 'same-site' ||
      (origin !== undefined && !this.#isOurs(origin, request))
    ) {
      throw new CrossOriginWrite(
        'A page of another origin may not write here; CORS_ORIGINS names those that may.',
      );
    }
  }

  /** Without PUBLIC_URL the scheme is not compared: a proxy that ends TLS without telling us may stand before us. */
  #isOurs(origin: string, request: Request): boolean {
    if (this.#publicOrigin !== undefined) return origin === this.#publicOrigin;
    const parsed = URL.canParse(origin) ? new URL(origin) : undefined;
    if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return false;
    const host = `${parsed.protocol}//${request.host}`;
    return URL.canParse(host) && new URL(host).host === parsed.host;
  }
}

/** The setting HOST as a URL has it, so that each spelling of an address of loopback is known as one. */
function canonical(host: string): string {
  const url = `http://${host.includes(':') ? `[${host}]` : host}`;
  if (!URL.canParse(url)) return host;
  const { hostname } = new URL(url);
  const isMappedLoopback = /^\[::ffff:7f[\da-f]{2}:/.test(hostname);
  return isMappedLoopback ? '127.0.0.1' : hostname;
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

/** A question that a browser asks by itself before another request (https://fetch.spec.whatwg.org/#cors-preflight-request). */
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
    if (this.#origins.size === 0) return;
    response.appendHeader('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !this.#origins.has(origin)) return;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
  }

  /** Sets what a preflight asks for besides. @param allow the methods of the path */
  preflightResponse(request: Request, response: Response, allow: string): void {
    if (!isPreflight(request) || !response.hasHeader('Access-Control-Allow-Origin')) return;
    response.setHeader('Access-Control-Allow-Methods', allow);
    response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    response.setHeader('Access-Control-Max-Age', String(PREFLIGHT_MAX_AGE_SECONDS));
  }
}
