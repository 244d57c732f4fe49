import type { Application, Request } from 'express';
import { isIPv4, isIPv6 } from 'node:net';

/** Longer texts are not addresses, but a trusted proxy may pass one on in X-Forwarded-For. */
const MAX_LENGTH = 64;

/** The groups of an IPv6 address that identify a client: a household gets at least a /64 and may use all of it. */
const IPV6_GROUPS = 4;

/**
 * Identifies the client at an address: a single IPv4 address, or a whole IPv6 /64.
 *
 * @param address the peer's address, or the one that the proxies of TRUST_PROXY report
 */
export function clientOf(address: string | undefined): string {
  if (address === undefined) return '';
  const [bare = ''] = address.slice(0, MAX_LENGTH).split('%');
  // An address without a colon is not IPv6; this check is faster than `isIPv6`.
  if (!bare.includes(':') || !isIPv6(bare)) return bare;
  const mapped = bare.slice(bare.lastIndexOf(':') + 1);
  if (isIPv4(mapped) && /^::ffff:/i.test(bare)) return mapped;
  return `${groupsOf(bare).slice(0, IPV6_GROUPS).join(':')}::/64`;
}

/** Whether a peer is a proxy of TRUST_PROXY, whose header fields about the client are believed. */
export function isTrustedProxy(app: Application, address: string | undefined): boolean {
  const isTrusted = app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
  return isTrusted(address, 0);
}

/** Identifies the client of a request by the bearer of its token, or else by its address. */
export function clientOfRequest({ user, ip }: Request): string {
  return user.id === undefined ? clientOf(ip) : `user ${user.id}`;
}

/** The groups of an IPv6 address, as its canonical form writes them (RFC 5952), which the host of a URL has. */
function groupsOf(address: string): string[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = [], after = []] = canonical.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after];
}
