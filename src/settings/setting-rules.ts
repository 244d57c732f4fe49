import { isFQDN } from 'class-validator';
import { readlinkSync } from 'node:fs';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { dirname, resolve } from 'node:path';
import { readPostgresUrl } from './postgres-url.js';
import { broken, choice, integer, keeping, parseUrl, readList } from './broken-rules.js';

type Database =
  { readonly kind: 'sqlite'; readonly path: string } | { readonly kind: 'postgres'; readonly url: string };

/** The maximum is the largest integer that a `RateLimit` field can carry (RFC 9651 §3.3.1). */
const readRequests = integer(1, 999_999_999_999_999, 'requests a minute, or off');

/** A longer chain of proxies is a typing mistake, and would trust any value that a client sends. */
const readHops = integer(0, 100);

/** A range of all addresses would let any client claim any address. */
const readProxy = keeping(
  isAddressRange,
  'must be a hop count, or a list of IP addresses and CIDR ranges (/1 or narrower)',
);

/** A b64token, as it stands in `Authorization: Bearer` (RFC 6750 §2.1). */
const readToken = keeping(
  (token) => token.length >= 16 && /^[\w.~+/-]+=*$/.test(token),
  'must have at least 16 ASCII letters, digits and "-", ".", "_", "~", "+", "/", with "=" only at its end',
);

/** The maximum number of connections of a PostgreSQL server (`max_connections`). */
export const MAX_POOL_SIZE = 262_143;
export const MAX_HISTORY_DAYS = 36_500;
/** Node's timers count at most 2^31 - 1 ms; a longer timer fires at once. */
export const MAX_TIMEOUT_SECONDS = Math.floor((2 ** 31 - 1) / 1_000);

/** Less than 16 MiB does not hinder offline guessing, and Node's scrypt accepts at most 1 GiB. @returns bytes */
export function readHashMemory(text: string): number {
  return Number(choice(['16', '32', '64', '128', '256', '512', '1024'])(text)) * 1_024 * 1_024;
}

export function readSwitch(text: string): boolean {
  return choice(['on', 'off'])(text) === 'on';
}

/** Reads seconds as milliseconds. */
export function seconds(min: number, max: number): (text: string) => number {
  return integer(min, max, 'seconds', 1_000);
}

export const readHost = keeping(
  // A name may be that of a machine or container: `localhost`, `posts_db`.
  (text) => isIP(text) > 0 || isFQDN(text, { require_tld: false, allow_underscores: true }),
  'must be an IP address or a host name, without a scheme, a port or brackets, such as 127.0.0.1 or ::',
);

/** The `hostname` of a URL: lower case, IPv6 in brackets; undefined for an address with a zone. */
function hostnameOf(host: string): string | undefined {
  return parseUrl(`http://${isIPv6(host) ? `[${host}]` : host}`)?.hostname;
}

/** Whether a host, as {@link readHost} accepts it, is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_HOST.test(hostnameOf(host) ?? '');
}

export function readAllowedHosts(text: string): readonly string[] {
  return readList(text, (entry) => {
    const host = readHost(entry.replace(/^\*\.|^\[(.*)\]$/, '$1'));
    const hostname = hostnameOf(host) ?? broken('must be an address without a zone');
    return (entry.startsWith('*.') ? '*.' : '') + hostname;
  });
}

/** The names of loopback (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
const LOOPBACK_HOST = /^(?:localhost|[\w-]+(?:\.[\w-]+)*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether the service answers to a host, with or without a port, by ALLOWED_HOSTS. Otherwise a page whose host name
 * resolves to this machine (DNS rebinding) could read and write as if it were a page of this service. HTTP/1.0 has no
 * Host, and a client without one is not a browser.
 */
export function isAllowedHost(host: string | undefined, allowedHosts?: readonly string[]): boolean {
  if (!host || allowedHosts === undefined) return true;
  const name = host.replace(/:\d*$/, '').toLowerCase();
  for (const pattern of allowedHosts) {
    if (pattern === name || (pattern === 'localhost' && LOOPBACK_HOST.test(name))) return true;
    if (pattern.startsWith('*.') && name.endsWith(pattern.slice(1))) return true;
  }
  return false;
}

/** Reads a `DATABASE_URL`. A SQLite path is used as it is, without percent-decoding. */
export function readDatabase(text: string): Database {
  const path = /^sqlite:(.*)$/is.exec(text)?.[1];
  if (path !== undefined) return { kind: 'sqlite', path: readSqlitePath(path) };
  if (/^postgres(ql)?:/i.test(text)) return { kind: 'postgres', url: readPostgresUrl(text) };
  return broken('must be sqlite:<path of a file> or postgres://user:password@host:port/database');
}

/** Refused are databases in memory and `file:` URIs, of which each connection would see another one, and a host. */
function readSqlitePath(text: string): string {
  const isFolder = /(^|[/\\])\.{0,2}$/.test(text);
  if (isFolder || text !== text.trim() || /^\/*:memory:|^file:|^\/\/(?!\/)|\?/i.test(text)) {
    broken(
      'must be sqlite:relative/path, sqlite:/absolute/path or sqlite:///absolute/path of a file on disk, without options or white space around it',
    );
  }
  return withoutLink(text.replace(/^\/{2,}/, '/'));
}

/** SQLite keeps its log beside the file that a link leads to. So must the lock be, whatever name a second service uses. */
function withoutLink(path: string): string {
  try {
    return withoutLink(resolve(dirname(path), readlinkSync(path)));
  } catch {
    // Not a link, or nothing yet.
    return path;
  }
}

/** @returns '' or the prefix with a leading slash and without a trailing slash */
export function readBasePath(text: string): string {
  if (text === '' || text === '/') return '';
  const path = `/${text.replace(/^\/|\/$/g, '')}`;
  // Only characters that no client, proxy or router encodes or resolves (RFC 3986 §2.3 and §5.2.4).
  if (/^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/.test(path)) return path;
  return broken(
    'must be a path such as /blog, made of letters, digits, "-", ".", "_", "~" and single slashes',
  );
}

/** @returns the URL without a trailing slash */
export function readPublicUrl(text: string): string {
  const url = parseUrl(text);
  // The pattern rejects what `new URL` silently repairs: white space, backslashes, a missing slash.
  if (!url || !/^https?:\/\/[^\s\\/?#@]+(\/[^\s\\?#]*)?$/i.test(text)) {
    return broken(
      'must be an absolute http or https URL without a user name, a query or a fragment, such as https://example.com/blog',
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** @returns false, the number of proxies in front of the service, or their addresses, as Express understands them */
export function readTrustProxy(text: string): false | number | string[] {
  if (text === '') return false;
  return /^\d+$/.test(text) ? readHops(text) || false : readList(text, readProxy);
}

/** @returns requests per minute and client, or undefined for `off` */
export function readRateLimit(text: string): number | undefined {
  return text === 'off' ? undefined : readRequests(text);
}

/** @returns the origins as a browser serialises them (RFC 6454 §6.2): lower case, punycode, no default port */
export function readCorsOrigins(text: string): string[] {
  return readList(text, (entry) => {
    const url = /^[a-z][a-z\d+.-]*:\/\/[^\s/\\?#@*]+$/i.test(entry) ? parseUrl(entry) : undefined;
    if (!url?.host) {
      return broken(
        'must be an exact origin, scheme://host or scheme://host:port, without a path, not even a slash at the end',
      );
    }
    // `origin` is the string "null" for schemes the URL standard does not know, such as those of browser extensions.
    return url.origin === 'null' ? `${url.protocol}//${url.host.toLowerCase()}` : url.origin;
  });
}

export function readApiTokens(text: string): string[] {
  const tokens = readList(text, readToken);
  if (new Set(tokens).size < tokens.length) broken('must not have the same token twice');
  return tokens;
}

function isAddressRange(text: string): boolean {
  const [, address = '', prefix] = /^([^/%]+)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  if (isIP(address) === 0) return false;
  return prefix === undefined || Number(prefix) <= (isIPv4(address) ? 32 : 128);
}
