import type { Request } from 'express';
import type { FaultCode } from '../../problem-details/problem.js';
import { HttpVersionRefused, InvalidRequest } from '../../problem-details/problems.js';
import type { Settings } from '../../settings/settings.js';
import { WRITES } from './route-table.js';

/**
 * A host name, an IPv4 or a bracketed IPv6 address, with or without a port; without characters that could escape from a
 * link.
 */
const WELL_FORMED_HOST = /^(?:\[[\da-f:.]{2,45}\]|[\w.-]{1,255})(?::\d{1,5})?$/i;

/** The names of loopback (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
const LOOPBACK_HOST = /^(?:localhost|[\w-]+(?:\.[\w-]+)*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Whether a host, in the form of a link or of `Host`, is loopback. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_HOST.test(host);
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
    const host: string | undefined = request.host;
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
