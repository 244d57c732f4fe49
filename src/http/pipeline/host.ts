import type { Request } from 'express';
import type { FaultCode } from '../../problem-details/problem.js';
import {
  HttpVersionRefused,
  InvalidRequest,
  TransferCodingNotImplemented,
} from '../../problem-details/problems.js';
import type { Settings } from '../../settings/settings.js';
import { WRITES } from './route-table.js';

/**
 * A host name, an IPv4 or a bracketed IPv6 address, with or without a port; without characters that could escape from a
 * link.
 */
const WELL_FORMED_HOST = /^(?:\[[\da-f:.]{2,45}\]|[\w.-]{1,255})(?::\d{1,5})?$/i;

/**
 * The host by which the client reached the service: `Host`, or the `X-Forwarded-Host` of a proxy in TRUST_PROXY. Each
 * proxy may append its own, so the last one is from the nearest proxy. (Express takes the first, which a client can
 * send.)
 */
export function hostOf({ app, headers, socket }: Request): string | undefined {
  const forwarded = headers['x-forwarded-host'];
  if (forwarded !== undefined) {
    const isTrusted = app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
    const nearest = String(forwarded).split(',').at(-1)!.trim();
    if (nearest !== '' && isTrusted(socket.remoteAddress, 0)) return nearest;
  }
  return headers.host;
}

/** @throws InvalidRequest when no link can be built from the host */
function assertWellFormedHost(host: string): void {
  if (WELL_FORMED_HOST.test(host)) return;
  throw hostFault('malformed', 'The field must be a host name or an address, and optionally a port.');
}

/**
 * Rejects a request whose `Host` is repeated, malformed, or empty in a write (RFC 9112 §3.2). Node rejects HTTP/1.1
 * without `Host`, and keeps the first of several.
 *
 * @throws Problem 400
 */
export function assertOneHost(request: Request): void {
  if (request.httpVersionMajor !== 1) throw new HttpVersionRefused();
  const { host } = request.headers;
  if (host !== undefined && hostFields(request) > 1)
    throw hostFault('repeated', 'The field must be sent once.');
  if (host) assertWellFormedHost(host);
  else if (host === '' && WRITES.has(request.method))
    throw hostFault('blank', 'The field must not be empty.');
  const { targetAuthority } = request.context;
  if (targetAuthority !== undefined) assertWellFormedHost(targetAuthority);
}

/** @throws TransferCodingNotImplemented for a coding that Node does not decode, such as `gzip, chunked` */
export function assertChunkedOnly({ headers }: Request): void {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw new TransferCodingNotImplemented();
}

function hostFields({ rawHeaders }: Request): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

function hostFault(code: FaultCode, detail: string): InvalidRequest {
  return new InvalidRequest([{ detail, code, header: 'Host' }]);
}

/**
 * Returns a function that determines the base URL of a request's links: `PUBLIC_URL`, else the scheme and host by which
 * the client reached the service, with `BASE_PATH`. `X-Forwarded-*` counts only from proxies in `TRUST_PROXY`.
 *
 * The function throws InvalidRequest for a `Host` or a scheme that no link can be built from.
 */
export function baseUrls({ publicUrl, basePath }: Settings): (request: Request) => string {
  if (publicUrl !== undefined) return () => publicUrl;
  return (request) => {
    const host = hostOf(request);
    // HTTP/1.0 has no Host.
    if (!host) return `http://${localAddress(request)}${basePath}`;
    assertWellFormedHost(host);
    // A proxy that does not set X-Forwarded-Proto forwards the client's value.
    const scheme = request.protocol.toLowerCase();
    if (scheme !== 'http' && scheme !== 'https') {
      throw new InvalidRequest([
        { detail: 'The field must be http or https.', code: 'not_one_of', header: 'X-Forwarded-Proto' },
      ]);
    }
    return `${scheme}://${host}${basePath}`;
  };
}

function localAddress({ socket }: Request): string {
  const address = socket.localAddress ?? '127.0.0.1';
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`;
}
