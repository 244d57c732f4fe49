import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { LOGGER } from '../../logging/logger.js';
import { logRequest } from './request-log.js';
import {
  MethodNotAllowed,
  NotAcceptable,
  NotFound,
  ServiceStopping,
  UriTooLong,
} from '../../problem-details/index.js';
import { type Settings, SETTINGS } from '../../settings/settings.js';
import { ANONYMOUS_USER, IssuedTokens } from '../../users/user.js';
import { InFlightRequests } from '../server/in-flight-requests.js';
import { PipelinedRequests } from '../server/pipelined-requests.js';
import { RequestCounts } from '../server/request-counts.js';
import { ClientGone } from '../client/client-gone.js';
import { RequestContext } from './request-context.js';
import { allowedMethods, areIdentifying, type Needs, RouteTable, WRITES } from '../routes/route-table.js';
import { ApiResponse } from '../response/api-response.js';
import { ResponseCache } from '../cache/response-cache.js';
import { MAX_TARGET_LENGTH } from '../../paging/index.js';
import { ResponseWriter } from '../response/response-writer.js';
import { Turns } from '../../limits/turns.js';
import { BearerTokens } from './bearer-tokens.js';
import { clientOf } from '../client/client-address.js';
import { readHost, type RequestHost } from './host.js';
import { isPreflight, Origins } from './origins.js';
import { RateLimit } from './rate-limit.js';

/** The client closed the connection before it had the response (the status of nginx for it). */
const CLIENT_CLOSED_REQUEST = 499;
/** How long a client may go on sending a body after it has the response. */
const MAX_DISCARDING_MS = 10_000;

/**
 * The first middleware of every request: the checks that need only the header section. It responds itself where no
 * handler is needed. The rest of the way of a request stands in http.module.ts.
 */
@Injectable()
export class RequestMiddleware implements NestMiddleware<Request, Response> {
  readonly #origins: Origins;
  readonly #tokens: BearerTokens;
  readonly #rateLimit: RateLimit | undefined;
  readonly #pipelined = new PipelinedRequests();
  #lastHost: RequestHost | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly routes: RouteTable,
    private readonly inFlightRequests: InFlightRequests,
    issuedTokens: IssuedTokens,
    private readonly cache: ResponseCache,
    private readonly requestCounts: RequestCounts,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly writer: ResponseWriter,
    private readonly turns: Turns,
  ) {
    const { apiTokens, rateLimitPerMinute } = settings;
    this.#origins = new Origins(settings);
    this.#tokens = new BearerTokens(apiTokens, issuedTokens);
    this.#rateLimit = rateLimitPerMinute === undefined ? undefined : new RateLimit(rateLimitPerMinute);
  }

  /**
   * The checks in the order of the contract; the first that fails responds. Content-Type, body and input follow in Nest.
   *
   * | check                                                  | problem          | or response           |
   * | ------------------------------------------------------ | ---------------- | --------------------- |
   * | length of path and query                               | 414              |                       |
   * | `Host`, `X-Forwarded-*`                                | 400              |                       |
   * | rate of the client; the service does not stop          | 429, 503         |                       |
   * | path                                                   | 404              | 308 to the slash      |
   * | ALLOWED_HOSTS; origin of a write                       | 403              |                       |
   * | token                                                  | 401              |                       |
   * | the parameters of the path                             | 404              |                       |
   * | method                                                 | 405              | 204 to OPTIONS        |
   * | `Accept`                                               | 406              | 303 to the form       |
   *
   * @throws a Problem
   */
  async use(request: Request, response: Response, next: () => void): Promise<void> {
    // A pipelined request has no socket before its turn, and so its response does not report that the client has gone.
    if (!response.socket && !(await this.#pipelined.wait(request, response))) return;
    const startedAt = performance.now();
    const turn = this.turns.wait(() => clientOf(request.ip), startedAt);
    if (turn) await turn;
    if (response.destroyed) return;
    const host = this.#open(request, response, startedAt);
    const { context, method } = request;
    const { route, canonicalPath, operation } = context;
    if (request.originalUrl.length > MAX_TARGET_LENGTH) throw new UriTooLong();
    if (host.fault?.getStatus() === 400) throw host.fault;
    if (!route?.isOperational) {
      // Browsers send preflights themselves; the requests that follow are counted.
      if (this.#rateLimit && !isPreflight(request)) this.#rateLimit.take(request, response);
      if (this.inFlightRequests.isStopping) throw new ServiceStopping();
    }
    const undeclared = route ? undefined : this.routes.undeclaredMethodsAt(context.path);
    const isIdentifying = !route?.integers || areIdentifying(route.integers, context.parameters);
    if (canonicalPath !== undefined && isIdentifying && method !== 'OPTIONS')
      return this.writer.send(request, response, redirectTo(308, context, canonicalPath, context.query));
    if (host.fault && !route?.answersAnyHost) throw host.fault;
    if (WRITES.has(method)) this.#origins.assertMayWrite(request);
    if (!route?.isOperational) {
      // Only a request with a token issued by this service waits; operational routes never do.
      const authenticated = this.#tokens.authenticate(request, operation?.needs ?? needsOf(method, !!route));
      if (authenticated) await authenticated;
      // Nothing would release what it takes from here on.
      if (response.destroyed) throw new ClientGone();
    }
    if (!isIdentifying) throw new NotFound();
    const { representation } = context;
    if (operation && !representation && operation.produces.length > 0)
      throw new NotAcceptable(operation.produces, { accept: request.headers.accept, vary: operation.vary });
    const answer = operation
      ? representation?.seeOther && redirectToForm(context, representation.seeOther, operation.vary)
      : optionsOf(method, undeclared ?? allowedMethods(route!), route?.operations.POST?.consumes);
    if (answer) return this.writer.send(request, response, answer);
    // Handlers are registered without BASE_PATH.
    request.url = context.query === '' ? context.path! : `${context.path}?${context.query}`;
    return next();
  }

  /** Begins the request, and ends it when its response is complete or the client has disconnected. */
  #open(request: Request, response: Response, startedAt: number): RequestHost {
    const host = (this.#lastHost = readHost(request, this.settings, this.#lastHost));
    request.context = new RequestContext(request, this.routes, host.baseUrl, this.settings.basePath);
    request.user = ANONYMOUS_USER;
    this.inFlightRequests.open(response);
    // 'close' is emitted once, and `on` is cheaper than `once`.
    response.on('close', () => {
      const { cacheEntry, socket, id } = request.context;
      const aborted = !response.writableFinished;
      this.inFlightRequests.close(response, socket);
      if (cacheEntry) this.cache.keep(cacheEntry);
      request.context.close(!aborted);
      if (!request.complete) discardBody(request, socket);
      const durationMs = performance.now() - startedAt;
      // An error status of a response that was cut says why the service itself cut it.
      const status = aborted && response.statusCode < 400 ? CLIENT_CLOSED_REQUEST : response.statusCode;
      try {
        this.requestCounts.add(request, status, durationMs / 1_000);
        logRequest(this.logger, request, { status, durationMs, aborted });
      } catch (err) {
        this.logger.error({ request_id: id, err }, 'The work at the end of a request failed.');
      }
    });
    return host;
  }
}

/** A system resets a connection that is closed with unread bytes, and the response is lost (RFC 9112 §9.6). */
function discardBody(request: Request, socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), MAX_DISCARDING_MS).unref();
  const stop = (): void => clearTimeout(timer);
  request.once('end', stop).once('close', stop).resume();
}

/**
 * What a method needs that the route does not have, or a handler without an `@Operation()`: writing needs what writing
 * posts needs. No declared route has PATCH.
 */
function needsOf(method: string, isDeclared: boolean): Needs {
  return WRITES.has(method) && !(isDeclared && method === 'PATCH') ? 'token' : 'nothing';
}

/**
 * The response to OPTIONS, or nothing where a handler without an `@Operation()` makes the response.
 *
 * @param allowed empty when a middleware or an `@All()` takes all methods
 * @throws MethodNotAllowed
 */
function optionsOf(
  method: string,
  allowed: readonly string[],
  consumed: readonly string[] = [],
): ApiResponse | undefined {
  if (allowed.length === 0) return undefined;
  const allow = allowed.join(', ');
  if (!allowed.includes(method)) throw new MethodNotAllowed(method, allow);
  if (method !== 'OPTIONS') return undefined;
  const accepted = consumed.length > 0 && { 'Accept-Post': consumed.join(', ') };
  return new ApiResponse({ status: 204, headers: { Allow: allow, ...accepted } });
}

/** The browsable form gets the parameters of the path and the query, so that it can show the same. */
function redirectToForm(context: RequestContext, form: string, vary: string): ApiResponse {
  const { parameters, query } = context;
  const all = [new URLSearchParams(parameters).toString(), query].filter((part) => part !== '');
  return redirectTo(303, context, form, all.join('&'), { Vary: vary });
}

/** @param path may have a fragment, before which the query is inserted */
function redirectTo(
  status: 303 | 308,
  { baseUrl }: RequestContext,
  path: string,
  query: string,
  headers?: Readonly<Record<string, string>>,
): ApiResponse {
  const Location = (baseUrl + path).replace(/(?=#)|$/, query === '' ? '' : `?${query}`);
  const all = { Location, 'Cache-Control': 'no-cache', ...headers };
  return new ApiResponse({ status, headers: all, body: '' });
}
