/** The target of a request (RFC 9112 §3.2), as links and logs show it. */
export interface RequestTarget {
  readonly fullPath: string;
  /** The path below `BASE_PATH`; undefined when the request's path is not below it. */
  readonly path: string | undefined;
  /** The raw query without its question mark; empty when there is none. */
  readonly query: string;
}

/**
 * Characters that a URI does not have (RFC 3986 §2), but some clients send, such as quotes, or bytes beyond ASCII (which
 * Node shows as Latin-1). Without them, any part of the target can be used in a link and decoded as UTF-8.
 */
const NOT_URI = /[^\w!#$%&'()*+,./:;=?@[\]~-]/g;

/** @param url what follows the method in the first line of the request */
export function parseTarget(url: string, basePath = ''): RequestTarget {
  const target = url.replaceAll(NOT_URI, percentEncode);
  const queryStart = target.indexOf('?');
  const sentPath = queryStart < 0 ? target : target.slice(0, queryStart);
  const query = queryStart < 0 ? '' : target.slice(queryStart + 1);
  // In a query, a `%` that does not start an escape is reported as a fault.
  const fullPath = sentPath.includes('%') ? sentPath.replaceAll(/%(?![\da-f]{2})/gi, '%25') : sentPath;
  return { fullPath, path: pathBelow(basePath, fullPath), query };
}

function pathBelow(basePath: string, fullPath: string): string | undefined {
  if (!fullPath.startsWith(basePath)) return undefined;
  const below = fullPath.slice(basePath.length);
  return below === '' || below.startsWith('/') ? below : undefined;
}

function percentEncode(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
