import type { Request } from 'express';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ClientGone } from '../client/client-gone.js';
import type { User } from '../../users/user.js';
import type { RequestClient } from '../client/request-client.js';
import type { BodyShare } from '../bodies/body-quotas.js';
import { parseQuery, type Texts } from '../bodies/field-texts.js';
import type { IdempotentRequest } from '../bodies/idempotent-request.js';
import type { CacheEntry } from '../cache/response-cache.js';
import {
  operationFor,
  type Representation,
  type RouteMethod,
  type RouteOperation,
} from '../routes/operation.js';
import { negotiate } from '../protocol/accept.js';
import { traceIdOf } from '../protocol/trace-context.js';
import type { Method, Route, RouteTable, UrlOf } from '../routes/route-table.js';
import { parseTarget } from './request-target.js';

/** An incoming id is kept when it is safe in a header, a log line and a URL without escaping. */
const WELL_FORMED_ID = /^[\w.~:=+/@-]{1,128}$/;
const NO_PARAMETERS = Object.freeze({});
const ORIGIN = /^https?:\/\/[^/]+/;

/** What the HTTP layer knows about a request. The middleware sets it once, from the header section. */
export class RequestContext {
  /** The connection, kept here because Node clears it on the request and the response when one of them ends early. */
  readonly socket: Socket;
  readonly id: string;
  readonly #traceparent: string | readonly string[] | undefined;
  /** The parts of the target, see request-target.ts. */
  readonly fullPath: string;
  readonly path: string | undefined;
  readonly query: string;
  readonly route: Route | undefined;
  /** The canonical path, if the request's path lacks its trailing slash. */
  readonly canonicalPath: string | undefined;
  /** The parameters of the path, as texts. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Undefined for a method that the route does not have, and for a handler that declares no `@Operation()`. */
  readonly method: RouteMethod | undefined;
  /** The one of the method's operations whose handler runs. Undefined without a method. */
  readonly operation: RouteOperation | undefined;
  /** The representation that `Accept` selected; undefined when it allows none, or when the operation ignores it. */
  readonly representation: Representation | undefined;

  // These fields are set later, each by the class that its comment names.

  /** BodyGuard: what the request's body holds until the response is complete. */
  bodyShare: BodyShare | undefined;
  /** BodyGuard: the key and the payload digest of a request that has an Idempotency-Key. */
  idempotent: IdempotentRequest | undefined;
  /** PlainBody, RequestBody: the body while it is read. */
  reading: { destroy(reason: Error): void } | undefined;
  /** ResponseCache: the entry for the response that the request builds, if its operation is cacheable. */
  cacheEntry: CacheEntry | undefined;
  /** CachedResponseMiddleware: whether the response was in the cache. */
  isFromCache = false;
  /** ProblemDetailsFilter: why the request was refused with 503, for its line in the log. */
  refusal: { readonly detail: string; readonly cause: string | undefined } | undefined;
  /** Whether the request has ended: nothing would release what it takes after that. */
  isClosed = false;
  #abort: AbortController | undefined;
  #queryTexts: Texts | undefined;

  constructor(
    request: Request,
    readonly client: RequestClient,
    private readonly routes: RouteTable,
    readonly baseUrl: string,
    basePath?: string,
  ) {
    this.socket = request.socket;
    const sent = request.headers['x-request-id'];
    this.#traceparent = request.headers['traceparent'];
    this.id = typeof sent === 'string' && WELL_FORMED_ID.test(sent) ? sent : randomUUID();
    const target = parseTarget(request.url, basePath);
    this.fullPath = target.fullPath;
    this.path = target.path;
    this.query = target.query;
    const match = this.path === undefined ? undefined : routes.find(this.path);
    this.route = match?.route;
    const lacksSlash = match?.route.path.endsWith('/') && !this.path!.endsWith('/');
    this.canonicalPath = lacksSlash ? `${this.path}/` : undefined;
    this.parameters = match?.parameters ?? NO_PARAMETERS;
    const method = (request.method === 'HEAD' ? 'GET' : request.method) as Method;
    this.method = match?.route.methods[method];
    if (!this.method) return;
    const { accept, 'content-type': contentType } = request.headers;
    this.representation = negotiate(accept, this.method.produces);
    this.operation = operationFor(this.method, this.representation, contentType);
  }

  /**
   * What identifies the request in each line of the log that is about it. Without a trace of the client, `trace_id` is absent:
   * an undefined one would replace that of a tracing tool.
   */
  get logFields(): { readonly request_id: string; readonly trace_id?: string } {
    const traceId = traceIdOf(this.#traceparent);
    return traceId === undefined ? { request_id: this.id } : { request_id: this.id, trace_id: traceId };
  }

  /** The parameters of the query, parsed once, at the first access. */
  get queryTexts(): Texts {
    return (this.#queryTexts ??= parseQuery(this.query));
  }

  /** The path as clients see it, with the public prefix even when a proxy strips it. */
  get publicPath(): string {
    return this.path === undefined ? this.fullPath : this.baseUrl.replace(ORIGIN, '') + this.path;
  }

  /** Aborted when the client disconnects before the response is complete, or when the service stops. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController();
      // Node stops writing to a client that has closed its side, and does not notify the response.
      this.socket.once('end', destroy);
    }
    return this.#abort.signal;
  }

  /** Ends the reading of the body, and the work for the request. */
  cancel(reason: Error): void {
    this.reading?.destroy(reason);
    this.#abort ??= new AbortController();
    this.#abort.abort(reason);
  }

  /** Call when the response is complete or the client has disconnected. */
  close(isComplete: boolean): void {
    this.isClosed = true;
    this.bodyShare?.release();
    if (this.#abort) this.socket.off('end', destroy);
    if (!isComplete || this.reading) this.cancel(new ClientGone());
  }

  get urlOf(): UrlOf {
    return (routeName, parameters) => this.baseUrl + this.routes.pathOf(routeName, parameters);
  }
}

function destroy(this: Socket): void {
  this.destroy();
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
    user: User;
  }
}
