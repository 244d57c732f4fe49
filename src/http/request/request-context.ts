import type { Request } from 'express';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { User } from './author.js';
import type { BodyShare } from './body-shares.js';
import type { IdempotentRequest } from './idempotent-request.js';
import type { CacheEntry } from '../response/response-cache.js';
import type { Representation } from './operation.decorator.js';
import type { RequestBody } from './request-body.js';
import type { Route, RouteOperation, RouteTable } from './route-table.js';

/** An incoming id is kept when it is safe in a header, a log line and a URL without escaping. */
const WELL_FORMED_ID = /^[\w.~:=+/@-]{1,128}$/;
const ORIGIN = /^https?:\/\/[^/]+/;

/** The URL of a named route: `urlOf('post-detail', { id: 7 })`. */
export type UrlOf = (routeName: string, parameters?: object) => string;

/** What the HTTP layer knows about a request, for the layers after it. */
export class RequestContext {
  /** The connection, kept here because Node clears it on the request and the response when one of them ends early. */
  readonly socket: Socket;
  readonly id: string;
  readonly target: string;
  /**
   * The authority of a target in absolute form, which servers must accept (RFC 9112 §3.2.2). Links are not built from
   * it: a client can write any authority into its request line.
   */
  readonly targetAuthority: string | undefined;
  /** The host by which the client reached the service. */
  host: string | undefined;
  readonly fullPath: string;
  /** The path below `BASE_PATH`; undefined when the request's path is not below it. */
  readonly path: string | undefined;
  /** The raw query without its question mark; empty when there is none. */
  readonly query: string;
  /** The prefix of all links: scheme, authority and path prefix, without a slash at the end. */
  baseUrl = '';
  route: Route | undefined;
  operation: RouteOperation | undefined;
  parameters: Readonly<Record<string, string>> = {};
  /** The path parameters as an instance of their class. */
  pathInput: object | undefined;
  routes: RouteTable | undefined;
  /** The representation that `Accept` selected; undefined when it allows none, or when the operation ignores it. */
  representation: Representation | undefined;
  /** What the request's body holds until the response is complete. */
  bodyShare: BodyShare | undefined;
  /** The body, if the handler reads it. */
  bodyStream: RequestBody | undefined;
  /** The place in the cache for the response that this request builds. */
  cacheEntry: CacheEntry | undefined;
  /** The size of the response's body as sent; undefined for a streamed response. */
  sentBytes: number | undefined;
  /** The key and the payload digest of a request that has an Idempotency-Key. */
  idempotent: IdempotentRequest | undefined;

  constructor(request: Request, basePath = '') {
    this.socket = request.socket;
    const sent = request.headers['x-request-id'];
    this.id = typeof sent === 'string' && WELL_FORMED_ID.test(sent) ? sent : randomUUID();
    const isPlain = request.url.startsWith('/') && URI.test(request.url);
    const { authority, target } = isPlain ? { target: request.url } : readTarget(request.url);
    this.targetAuthority = authority;
    this.target = target;
    const queryStart = target.indexOf('?');
    const path = queryStart < 0 ? target : target.slice(0, queryStart);
    // In a query, a `%` that does not start an escape is reported as a fault.
    this.fullPath = path.includes('%') ? path.replaceAll(/%(?![\da-f]{2})/gi, '%25') : path;
    this.query = queryStart < 0 ? '' : target.slice(queryStart + 1);
    const below = this.fullPath.startsWith(basePath) ? this.fullPath.slice(basePath.length) : undefined;
    this.path = below === '' || below?.startsWith('/') ? below : undefined;
  }

  /** The path as clients see it, with the public prefix even when a proxy strips it. */
  get publicPath(): string {
    return this.path === undefined ? this.fullPath : this.baseUrl.replace(ORIGIN, '') + this.path;
  }

  readonly urlOf: UrlOf = (routeName, parameters) =>
    this.baseUrl + this.routes!.pathOf(routeName, parameters);
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
    user: User;
  }
}

/** Characters of a URI (RFC 3986 §2). */
const URI = /^[\w!#$%&'()*+,./:;=?@[\]~-]*$/;
const NOT_URI = /[^\w!#$%&'()*+,./:;=?@[\]~-]/g;

/**
 * Splits a request target into its authority, in absolute form, and its path and query. Percent-encodes characters that
 * some clients send raw, such as quotes, or bytes beyond ASCII (which Node shows as Latin-1). Any part of the result can
 * be used in a link and decoded as UTF-8.
 */
function readTarget(url: string): { authority?: string | undefined; target: string } {
  const encoded = url.replaceAll(
    NOT_URI,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  const [, authority, path] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(encoded) ?? [];
  if (authority === undefined || path === undefined) return { target: encoded };
  return { authority, target: path.startsWith('/') ? path : `/${path}` };
}
