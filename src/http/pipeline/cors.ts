import type { Request, Response } from 'express';

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
  'If-None-Match',
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
