import type { Application } from 'express';
import { isIPv4, isIPv6 } from 'node:net';
import type { Settings } from '../../settings/settings.js';

/** Longer texts are not addresses, but a trusted proxy may pass one on in X-Forwarded-For. */
const MAX_LENGTH = 64;

/** The groups of an IPv6 address that identify a client: a household gets at least a /64 and may use all of it. */
const IPV6_GROUPS = 4;

/** The forms in which sockets show an IPv4 address: most requests need no further parsing. */
const PLAIN_IPV4 = /^(?:::ffff:)?((?:\d{1,3}\.){3}\d{1,3})$/;

/**
 * Addresses as some proxies write them into X-Forwarded-For, in the forms of RFC 7239 §6: `203.0.113.9:4711`,
 * `[2001:db8::9]:443`, `[2001:db8::9]`, `unknown:4711`. A port may also be a word, and each connection has another one.
 */
const WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3}|unknown|_[\w.-]+):.*|\[([\da-f:.]+)(?:%[^\]]*)?\](?::.*)?)$/i;

/** An address without quotes, brackets, and the port of its connection. */
function bareAddress(text: string): string {
  const unquoted = text.slice(0, MAX_LENGTH).replaceAll(/^[\s"]+|[\s"]+$/g, '');
  const [, node, ipv6] = WITH_PORT.exec(unquoted) ?? [];
  return node ?? ipv6 ?? unquoted;
}

/** Believes what the proxies of TRUST_PROXY say about the client. */
export function trustProxies(app: Application, trustProxy: Settings['trustProxy']): void {
  app.set('trust proxy', trustProxy);
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  // A connection that has been reset has no address.
  const isTrustedNode = (address: string | undefined, hop: number): boolean =>
    address !== undefined && isTrusted(bareAddress(address), hop);
  app.set('trust proxy', isTrustedNode);
}

/**
 * Identifies the client at an address: a single IPv4 address, or a whole IPv6 /64.
 *
 * @param address the peer's address, or the one that the proxies of TRUST_PROXY report
 */
export function clientOf(address: string | undefined): string {
  if (address === undefined) return '';
  const [, plain] = PLAIN_IPV4.exec(address) ?? [];
  if (plain !== undefined) return plain;
  const [bare = ''] = bareAddress(address).split('%');
  if (!isIPv6(bare)) return nameOf(bare);
  const last = bare.slice(bare.lastIndexOf(':') + 1);
  // An IPv4 address within one of IPv6, written in another way than sockets show it.
  if (isIPv4(last) && /^::ffff:/i.test(bare)) return last;
  const groups = groupsOf(bare);
  return mappedIpv4(groups) ?? `${groups.slice(0, IPV6_GROUPS).join(':')}::/64`;
}

/** The IPv4 address that an IPv6 one stands for (RFC 4291 §2.5.5.2): 192.0.2.7 for ::ffff:c000:207. */
function mappedIpv4(groups: readonly string[]): string | undefined {
  if (!/^(?:0:){5}ffff:/.test(groups.join(':'))) return undefined;
  const numbers = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.');
}

/** A text that is no address, such as `unknown`, is a client, too. Without a space, it is never that of a user. */
function nameOf(text: string): string {
  return text.replaceAll(' ', '_');
}

/** Whether a peer is a proxy of TRUST_PROXY, whose header fields about the client are believed. */
export function isTrustedProxy(app: Application, address: string | undefined): boolean {
  const isTrusted = app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
  return isTrusted(address, 0);
}

/** The groups of an IPv6 address, as its canonical form writes them (RFC 5952), which the host of a URL has. */
function groupsOf(address: string): string[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = [], after = []] = canonical.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after];
}
