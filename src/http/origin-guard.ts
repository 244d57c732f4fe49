import type { Request } from 'express';
import { CrossOriginWrite } from '../problem-details/problems.js';
import type { Settings } from '../settings/settings.js';

const LOOPBACK_HOST = /^(?:localhost|[\w-]+(?:\.[\w-]+)*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Refuses writes that a browser sends on behalf of a page that is not ours, so that an open service on a laptop cannot
 * be written to by any page its owner visits. It needs no token and no cookie: browsers say where a request comes from
 * (Fetch Metadata; RFC 6454 §7), other clients say nothing and are let through.
 */
export class OriginGuard {
  readonly #allowedOrigins: ReadonlySet<string>;
  /** Reached on loopback and by nothing else: then a name that is not loopback's was made to point here (DNS rebinding). */
  readonly #loopbackOnly: boolean;
  readonly #publicOrigin: string | undefined;

  constructor({ corsOrigins, publicUrl, trustProxy, host }: Settings) {
    this.#allowedOrigins = new Set(corsOrigins);
    this.#publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
    this.#loopbackOnly =
      publicUrl === undefined && trustProxy === false && LOOPBACK_HOST.test(bracketed(host));
  }

  /** @throws CrossOriginWrite */
  assertMayWrite(request: Request): void {
    const { headers } = request;
    if (this.#loopbackOnly && headers.host && !LOOPBACK_HOST.test(headers.host)) {
      throw new CrossOriginWrite(
        'The service listens on loopback only, and this is not a name of loopback. Set PUBLIC_URL or TRUST_PROXY to serve others.',
      );
    }
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

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
