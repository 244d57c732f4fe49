import type { Request } from 'express';
import type { FaultCode } from '../../problem-details/problem.js';
import { BadRequest, InvalidRequest } from '../../problem-details/problems.js';
import type { Settings } from '../../settings/settings.js';
import { WRITES } from '../request/route-table.js';

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
function hostOf({ app, headers, socket }: Request): string | undefined {
  const forwarded = headers['x-forwarded-host'];
  if (forwarded !== undefined) {
    const isTrusted = app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
    const nearest = String(forwarded).split(',').at(-1)!.trim();
    if (nearest !== '' && isTrusted(socket.remoteAddress, 0)) return nearest;
  }
  return headers.host;
}

/**
 * Sets the host of a request's context, and rejects what Node's parser accepts: other versions than HTTP/1.x, and
 * a `Host` that is repeated, malformed, or empty in a write (RFC 9112 §3.2).
 *
 * @throws Problem 400
 */
export function assertWellFormed(request: Request): void {
  const { headers, rawHeaders, method, context, httpVersionMajor } = request;
  context.host = hostOf(request);
  if (httpVersionMajor !== 1) throw new BadRequest('The request must be HTTP/1.1 or HTTP/1.0.');
  const { host } = headers;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (/^host$/i.test(rawHeaders[at]!)) hosts += 1;
  if (hosts > 1) throw hostFault('repeated', 'The field must be sent once.');
  if (host === '' && WRITES.has(method)) throw hostFault('blank', 'The field must not be empty.');
  for (const authority of [host, context.host, context.targetAuthority]) {
    if (authority && !WELL_FORMED_HOST.test(authority)) {
      throw hostFault('malformed', 'The field must be a host name or an address, and optionally a port.');
    }
  }
}

function hostFault(code: FaultCode, detail: string): InvalidRequest {
  return new InvalidRequest([{ detail, code, header: 'Host' }]);
}

/**
 * The base URL of a request's links: `PUBLIC_URL`, else the scheme and host by which the client reached the service,
 * with `BASE_PATH`. `X-Forwarded-*` counts only from proxies in `TRUST_PROXY`.
 *
 * @throws InvalidRequest for a scheme that no link can be built from
 */
export function baseUrlOf(request: Request, { publicUrl, basePath }: Settings): string {
  if (publicUrl !== undefined) return publicUrl;
  const { host } = request.context;
  // HTTP/1.0 has no Host.
  if (!host) return `http://${localAddress(request)}${basePath}`;
  // A proxy that does not set X-Forwarded-Proto forwards the client's value.
  const scheme = request.protocol.toLowerCase();
  if (scheme === 'http' || scheme === 'https') return `${scheme}://${host}${basePath}`;
  throw new InvalidRequest([
    { detail: 'The field must be http or https.', code: 'not_one_of', header: 'X-Forwarded-Proto' },
  ]);
}

function localAddress({ socket }: Request): string {
  const address = socket.localAddress ?? '127.0.0.1';
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`;
}
