import type { Request } from 'express';
import { InvalidRequest } from '../../problem-details/problems.js';
import type { Settings } from '../../settings/settings.js';
import { assertWellFormedHost } from '../request/host.js';

/**
 * Makes the function that tells where a request's links start: `PUBLIC_URL`, else the scheme and host by which the
 * client reached us (`X-Forwarded-*` only from proxies that `TRUST_PROXY` names) and `BASE_PATH`.
 *
 * The function throws InvalidRequest for a `Host` or a scheme that no link could be built from.
 */
export function baseUrls({ publicUrl, basePath, trustProxy }: Settings): (request: Request) => string {
  if (publicUrl !== undefined) return () => publicUrl;
  // Without a proxy the response depends on Host alone, and one client after the other sends the same.
  if (trustProxy === false) return lastOf((request) => request.headers.host, baseUrlOf);
  return baseUrlOf;

  function baseUrlOf(request: Request): string {
    const host: string | undefined = request.host;
    // HTTP/1.0 knows no Host.
    if (!host) return `http://${localAddress(request)}${basePath}`;
    assertWellFormedHost(host);
    // A proxy that sets no X-Forwarded-Proto lets through what the client has put there.
    const scheme = request.protocol.toLowerCase();
    if (scheme !== 'http' && scheme !== 'https') {
      throw new InvalidRequest([
        { detail: 'The field must be http or https.', code: 'not_one_of', header: 'X-Forwarded-Proto' },
      ]);
    }
    return `${scheme}://${host}${basePath}`;
  }
}

/** The function, but for a request with the same defined key as the one before: that is given the same result. */
function lastOf<Result>(
  keyOf: (request: Request) => string | undefined,
  compute: (request: Request) => Result,
): (request: Request) => Result {
  let last: { key: string; result: Result } | undefined;
  return (request) => {
    const key = keyOf(request);
    if (last !== undefined && last.key === key) return last.result;
    const result = compute(request);
    if (key) last = { key, result };
    return result;
  };
}

function localAddress({ socket }: Request): string {
  const address = socket.localAddress ?? '127.0.0.1';
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`;
}
