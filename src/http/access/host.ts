import type { Request } from 'express';
import { BadRequest, type FaultCode, HostNotAllowed, InvalidRequest } from '../../problem-details/index.js';
import { isAllowedHost } from '../../settings/setting-rules.js';
import type { Settings } from '../../settings/settings.js';
import { isTrustedProxy } from '../client/client-address.js';
import { WRITES } from '../routes/route-table.js';

/**
 * A host name, an IPv4 or a bracketed IPv6 address, with or without a port, which may be empty (RFC 3986 §3.2.3); without
 * characters that could escape from a link.
 */
const WELL_FORMED_HOST = /^(?:\[[\da-f:.]{2,45}\]|[\w.-]{1,255})(?::\d{0,5})?$/i;

/** By which host the client reached the service. */
export interface RequestHost {
  readonly name: string | undefined;
  readonly scheme: string;
  /** The prefix of all links: scheme, authority and path prefix, without a slash at the end. Relative with a fault. */
  readonly baseUrl: string;
  /** Why the service does not answer to the host: 400, or 403 of ALLOWED_HOSTS. */
  readonly fault: InvalidRequest | BadRequest | HostNotAllowed | undefined;
}

/**
 * Reads the host of a request by PUBLIC_URL, BASE_PATH, TRUST_PROXY and ALLOWED_HOSTS.
 *
 * @param last that of the request before, which most requests have too: measured, a twentieth of a cached response
 */
export function readHost(request: Request, settings: Settings, last?: RequestHost): RequestHost {
  const name = nameOf(request);
  const scheme = schemeOf(request, settings);
  const syntaxFault = syntaxFaultOf(request, name);
  if (last && !syntaxFault && !last.fault && last.name === name && last.scheme === scheme) return last;
  const fault =
    syntaxFault ?? linkFaultOf(name) ?? schemeFaultOf(scheme) ?? permissionFaultOf(name, settings);
  const { publicUrl, basePath } = settings;
  // Links do not repeat a host that is refused.
  const baseUrl = publicUrl ?? (fault ? basePath : originOf(request, name, scheme) + basePath);
  return { name, scheme, fault, baseUrl };
}

function nameOf(request: Request): string | undefined {
  const { host, 'x-forwarded-host': forwarded } = request.headers;
  return forwarded === undefined ? host : (forwardedHost(request, String(forwarded)) ?? host);
}

/**
 * `X-Forwarded-*` counts only from proxies in TRUST_PROXY. One that does not set X-Forwarded-Proto forwards the client's
 * value.
 */
function schemeOf(request: Request, { publicUrl, trustProxy }: Settings): string {
  if (publicUrl !== undefined || trustProxy === false) return 'http';
  return request.protocol.toLowerCase();
}

/** HTTP/1.0 has no Host. A URL omits an empty port with its colon (RFC 3986 §3.2.3). */
function originOf({ socket }: Request, name: string | undefined, scheme: string): string {
  return name ? `${scheme}://${name.replace(/:$/, '')}` : `http://localhost:${socket.localPort}`;
}

/** Links with a port above 65535, or with an address such as 300.0.0.1, would not be URLs. */
function linkFaultOf(name: string | undefined): InvalidRequest | undefined {
  return !name || URL.canParse(`http://${name}`) ? undefined : malformedHost();
}

function schemeFaultOf(scheme: string): InvalidRequest | undefined {
  if (scheme === 'http' || scheme === 'https') return undefined;
  return headerFault('X-Forwarded-Proto', 'not_one_of', 'The field must be http or https.');
}

function permissionFaultOf(name: string | undefined, { allowedHosts }: Settings): HostNotAllowed | undefined {
  return isAllowedHost(name, allowedHosts) ? undefined : new HostNotAllowed();
}

/**
 * The `X-Forwarded-Host` of a proxy in TRUST_PROXY. Each proxy may append its own, so the last one is from the nearest
 * proxy. (Express takes the first, which a client can send.)
 */
function forwardedHost({ app, socket }: Request, field: string): string | undefined {
  const nearest = field.split(',').at(-1)!.trim();
  return nearest !== '' && isTrustedProxy(app, socket.remoteAddress) ? nearest : undefined;
}

/** Faults that Node's parser accepts: a `Host` that is repeated, malformed, or empty in a write (RFC 9112 §3.2). */
function syntaxFaultOf(
  { headers: { host }, rawHeaders, method, httpVersionMajor }: Request,
  name: string | undefined,
): InvalidRequest | BadRequest | undefined {
  // HTTP/0.9 and HTTP/2 in the syntax of HTTP/1.
  if (httpVersionMajor !== 1) return new BadRequest('The request must be HTTP/1.1 or HTTP/1.0.');
  let hosts = 0;
  let sent: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.toLowerCase() !== 'host') continue;
    hosts += 1;
    sent = rawHeaders[at + 1];
  }
  if (hosts > 1) return headerFault('Host', 'repeated', 'The field must be sent once.');
  if (host === '' && WRITES.has(method)) return headerFault('Host', 'blank', 'The field must not be empty.');
  // The authority of a target in absolute form has replaced the field that was sent, which must be well-formed, too.
  const isWellFormed = isHost(host) && (sent === host || isHost(sent)) && (name === host || isHost(name));
  return isWellFormed ? undefined : malformedHost();
}

function malformedHost(): InvalidRequest {
  const rule =
    'The field, or the authority of the target, must be a host name or an address, and optionally a port.';
  return headerFault('Host', 'malformed', rule);
}

function isHost(text: string | undefined): boolean {
  return !text || WELL_FORMED_HOST.test(text);
}

function headerFault(header: string, code: FaultCode, detail: string): InvalidRequest {
  return new InvalidRequest([{ detail, code, header }]);
}
