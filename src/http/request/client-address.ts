import type { Request } from 'express';
import { isIPv4, isIPv6 } from 'node:net';

/** A longer text is no address; a trusted proxy may still have put one into X-Forwarded-For. */
const MAX_LENGTH = 64;

/** How much of an IPv6 address names a client: a household is given at least a /64, and may use all of it. */
const IPV6_GROUPS = 4;

/**
 * Names the client at an address: an IPv4 address by itself, all of an IPv6 /64 together.
 *
 * @param address the peer's, or what proxies that TRUST_PROXY names say of it
 */
export function clientOf(address: string | undefined): string {
  if (address === undefined) return '';
  const [bare = ''] = address.slice(0, MAX_LENGTH).split('%');
  // Without a colon it is none, and that is known sooner.
  if (!bare.includes(':') || !isIPv6(bare)) return bare;
  const mapped = bare.slice(bare.lastIndexOf(':') + 1);
  if (isIPv4(mapped) && /^::ffff:/i.test(bare)) return mapped;
  return `${groupsOf(bare).slice(0, IPV6_GROUPS).join(':')}::/64`;
}

/** Names the client of a request: the bearer of its token, or else the address. */
export function clientOfRequest({ context, ip }: Request): string {
  return context.bearerId === undefined ? clientOf(ip) : `bearer ${context.bearerId}`;
}

/** The groups of an IPv6 address, without leading zeros, in lower case. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end stands for two groups.
  const afterLength = after.length + (after.at(-1)?.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - before.length - afterLength;
  return [...before, ...Array<string>(zeros).fill('0'), ...after].map((group) =>
    group.replace(/^0+(?=.)/, ''),
  );
}
