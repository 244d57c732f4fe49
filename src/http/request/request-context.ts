import type { Request } from 'express';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { InputFault } from '../../problem-details/input-fault.js';
import type { Entry } from '../pipeline/entry-list.js';
import type { ReaderShares } from '../pipeline/reader-shares.js';
import type { Representation, Route, RouteOperation, RouteTable } from '../pipeline/route-table.js';
import type { ApiResponse } from '../response/api-response.js';
import type { ResponseReader } from '../response/response-reader.js';
import { ANONYMOUS, type Author, type Session } from './author.js';
import type { RequestBodyStream } from './body-bytes.js';
import type { MemoryLease } from './body-memory.js';
import type { IdempotentRequest } from './idempotent-request.js';
import type { Input } from './input-reader.js';
import type { RequestBody } from './request-body.js';

/** An incoming id is kept when it can stand in a header, a log line and a URL as it is. */
const WELL_FORMED_ID = /^[\w.~:=+/@-]{1,128}$/;
/** The scheme and the authority of a URL. */
const ORIGIN = /^https?:\/\/[^/]+/;
const NO_BODY: RequestBody = { kind: 'absent' };

/** What the HTTP layer found out about a request, for the layers behind it. */
export class RequestContext {
  /** The connection; Node takes it from the request and the response when one of them ends early. */
  readonly socket: Socket;
  /** The value of `X-Request-Id`. */
  readonly id: string;
  /** The path and the query as the client sent them. */
  readonly target: string;
  /**
   * The authority of a target in absolute form. A server takes that form, too (RFC 9112 §3.2.2). Links never start there:
   * what the client writes in its request line is not where it has reached us.
   */
  readonly targetAuthority: string | undefined;
  /** The path as the client sent it, without the query. */
  readonly fullPath: string;
  /** The path below `BASE_PATH`; undefined for one that is not below it. */
  path: string | undefined;
  /** The raw query without its question mark; empty when there is none. */
  readonly query: string;
  /** Where links start: scheme, authority and prefix, without a slash at the end. */
  baseUrl = '';
  /** Its place among the requests in flight. */
  open: Entry<ServerResponse> | undefined;
  route: Route | undefined;
  operation: RouteOperation | undefined;
  parameters: Readonly<Record<string, string>> = {};
  /** The checked input of the operation, of which `@Query()`, `@Param()` and `@Body()` give the parts. */
  input: Input | undefined;
  /** What is wrong with the input, for a handler that adds to it. */
  inputFaults: readonly InputFault[] = [];
  /** Where links come from. */
  routes: RouteTable | undefined;
  /** Who asks; whatever is changed is changed in their name. */
  author: Author = ANONYMOUS;
  /** Names whose token the request was let in with, the same for all tokens of one bearer. */
  bearerId: string | undefined;
  /** The session that the request's token stands for; always there where the route asks for one. */
  session: Session | undefined;
  /** What `Accept` chose; undefined where the route leaves that to its handlers. */
  representation: Representation | undefined;
  /** See response-cache.ts. */
  cacheToken: number | undefined;
  body: RequestBody = NO_BODY;
  /** The body of an operation that reads it by itself, as it comes. */
  bodyStream: RequestBodyStream | undefined;
  /** Is to be told the response, or that there is none for other requests of the same; what comes later does not matter. */
  onResponse: ((response: ApiResponse | undefined) => void) | undefined;
  /** What large responses take their memory from. */
  responseMemory: ReaderShares | undefined;
  /** Whoever reads the response, where it holds something meanwhile; see response-reader.ts. */
  reader: ResponseReader | undefined;
  /** The memory that the body of the request takes until the response is complete. */
  memoryLease: MemoryLease | undefined;
  /** The size of the response's body as it was sent; undefined where it was streamed. */
  sentBytes: number | undefined;
  /** What makes the request the same as another, where it has an Idempotency-Key. */
  idempotent: IdempotentRequest | undefined;

  /** @param strictTransport the value of `Strict-Transport-Security`, where responses have one */
  constructor(
    request: Request,
    readonly strictTransport?: string | undefined,
  ) {
    this.socket = request.socket;
    const sent = request.headers['x-request-id'];
    this.id = typeof sent === 'string' && WELL_FORMED_ID.test(sent) ? sent : randomUUID();
    const { authority, originForm } = readTarget(request.url);
    const target = asUri(originForm);
    this.targetAuthority = authority;
    this.target = target;
    const queryStart = target.indexOf('?');
    this.fullPath = withoutStrayPercent(queryStart < 0 ? target : target.slice(0, queryStart));
    this.query = queryStart < 0 ? '' : target.slice(queryStart + 1);
  }

  /** The path as clients write it, with the public prefix where a proxy has stripped it. */
  get publicPath(): string {
    return this.path === undefined ? this.fullPath : this.baseUrl.replace(ORIGIN, '') + this.path;
  }

  /** The URL of a named route: `urlOf('post-detail', { id: 7 })`. */
  urlOf(routeName: string, parameters?: object): string {
    return this.baseUrl + this.routes!.pathOf(routeName, parameters);
  }
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

function readTarget(url: string): { authority: string | undefined; originForm: string } {
  const [, authority, path] = url.startsWith('/') ? [] : (/^https?:\/\/([^/?#]+)(.*)$/i.exec(url) ?? []);
  if (authority === undefined || path === undefined) return { authority: undefined, originForm: url };
  return { authority, originForm: path.startsWith('/') ? path : `/${path}` };
}

/** Characters of a URI (RFC 3986 §2). */
const URI = /^[\w!#$%&'()*+,./:;=?@[\]~-]*$/;
const NOT_URI = /[^\w!#$%&'()*+,./:;=?@[\]~-]/g;

/**
 * Percent-encodes what some clients send as it is, such as quotes, or bytes beyond ASCII (which Node shows as Latin-1),
 * so that a part of the target can stand in a link and be decoded as UTF-8.
 */
function asUri(target: string): string {
  if (URI.test(target)) return target;
  return target.replaceAll(
    NOT_URI,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** A `%` that begins nothing stands for itself. (In a query it is a fault, which is told as one.) */
function withoutStrayPercent(path: string): string {
  return path.includes('%') ? path.replaceAll(/%(?![\da-f]{2})/gi, '%25') : path;
}
