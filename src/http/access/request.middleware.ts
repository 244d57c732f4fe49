import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { Request, Response } from 'express';
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
import { ANONYMOUS_USER } from '../../users/user.js';
import { InFlightRequests } from '../server/in-flight-requests.js';
import { RequestCounts } from '../server/request-counts.js';
import { ClientGone } from '../client/client-gone.js';
import { RequestContext } from './request-context.js';
import {
  allowedMethods,
  areIdentifying,
  METHODS,
  RouteTable,
  type Undeclared,
  WRITES,
} from '../routes/route-table.js';
import { ApiResponse } from '../response/api-response.js';
import { DiscardedBodies } from '../response/discarded-bodies.js';
import { MAX_TARGET_LENGTH } from '../../paging/index.js';
import { ResponseWriter } from '../response/response-writer.js';
import { Turns } from '../../turns/index.js';
import { WRITERS } from '../routes/access.js';
import { BearerTokens } from './bearer-tokens.js';
import { RequestClient } from '../client/request-client.js';
import { readHost, type RequestHost } from './host.js';
import { isPreflight, Origins } from './origins.js';
import { RateLimit } from './rate-limit.js';

/** The client closed the connection before it had the response (the status of nginx for it). */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * The first middleware of every request: the checks that need only the header section. It responds itself where no
 * handler is needed. The rest of the way of a request stands in http.module.ts.
 */
@Injectable()
export class RequestMiddleware implements NestMiddleware<Request, Response> {
  readonly #origins: Origins;
  readonly #rateLimit: RateLimit | undefined;
  #lastHost: RequestHost | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly routes: RouteTable,
    private readonly inFlightRequests: InFlightRequests,
    private readonly tokens: BearerTokens,
    private readonly requestCounts: RequestCounts,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly writer: ResponseWriter,
    private readonly turns: Turns,
    private readonly discardedBodies: DiscardedBodies,
  ) {
    const { rateLimitPerMinute } = settings;
    this.#origins = new Origins(settings);
    this.#rateLimit = rateLimitPerMinute === undefined ? undefined : new RateLimit(rateLimitPerMinute);
  }

  /**
   * The checks in the order of the contract; the first that fails responds. Content-Type, body and input follow in Nest.
   *
   * @throws a Problem
   */
  async use(request: Request, response: Response, next: () => void): Promise<void> {
    const startedAt = performance.now();
    const client = new RequestClient(request);
    const turn = this.turns.wait(() => client.address, startedAt);
    if (turn) await turn;
    if (response.destroyed) return;
    const host = this.#begin(request, response, client, startedAt);
    const { context } = request;
    checkLength(context); // 414
    checkHostSyntax(host); // 400
    this.#checkLoad(request, response); // 429, 503
    if (isAboutService(request)) return this.writer.send(request, response, optionsOfService());
    const undeclared = context.route ? undefined : this.routes.undeclaredAt(context.path); // 404
    const redirect = redirectToSlash(request); // 308
    if (redirect) return this.writer.send(request, response, redirect);
    checkHostAllowed(host, context); // 403
    if (WRITES.has(request.method)) this.#origins.assertMayWrite(request); // 403
    const authenticated = this.#authenticate(request); // 401
    if (authenticated) await authenticated;
    // Nothing would release what the request takes from here on.
    if (response.destroyed) throw new ClientGone();
    this.#checkToken(request, undeclared); // 401
    checkPathParameters(context); // 404
    const complete = checkMethod(request, undeclared) ?? checkAccept(request); // 405 or 204 to OPTIONS, 406 or 303 to the form
    if (complete) return this.writer.send(request, response, complete);
    // Handlers are registered without BASE_PATH.
    request.url = context.query === '' ? context.path! : `${context.path}?${context.query}`;
    return next();
  }

  /**
   * The service refuses what its client sends too often, and everything while it stops.
   *
   * @throws TooManyRequests
   * @throws ServiceStopping
   */
  #checkLoad(request: Request, response: Response): void {
    if (request.context.route?.isOperational) return;
    // Browsers send preflights themselves; the requests that follow are counted.
    if (this.#rateLimit && !isPreflight(request))
      this.#rateLimit.take(request.context.client.address, response);
    if (this.inFlightRequests.isStopping) throw new ServiceStopping();
  }

  /** Only a request with a token that this service has issued waits; operational routes never do. @throws TokenUnknown */
  #authenticate(request: Request): Promise<void> | undefined {
    return request.context.route?.isOperational ? undefined : this.tokens.authenticate(request);
  }

  /**
   * Refuses a request without the token that its handler needs before its method and `Accept` are looked at. AccessGuard
   * asks again, at the handler.
   *
   * @throws Unauthorized
   */
  #checkToken(request: Request, undeclared: Undeclared | undefined): void {
    const { operation, route } = request.context;
    if (route?.isOperational) return;
    if (operation) return this.tokens.assertHolds(request, operation.access);
    // The method is not allowed, but a client without a token need not learn that. No declared route has PATCH.
    const isRefused = route !== undefined && request.method !== 'PATCH';
    // Middleware has no guard.
    const isUnguarded = undeclared?.isHandled === false;
    if (WRITES.has(request.method) && (isRefused || isUnguarded)) this.tokens.assertHolds(request, WRITERS);
  }

  /** Begins the request, and ends it when its response is complete or the client has disconnected. */
  #begin(request: Request, response: Response, client: RequestClient, startedAt: number): RequestHost {
    const host = (this.#lastHost = readHost(request, this.settings, this.#lastHost));
    request.context = new RequestContext(request, client, this.routes, host.baseUrl, this.settings.basePath);
    request.user = ANONYMOUS_USER;
    this.inFlightRequests.open(response);
    // 'close' is emitted once, and `on` is cheaper than `once`.
    response.on('close', () => {
      const { cacheEntry, socket } = request.context;
      const aborted = !response.writableFinished;
      this.inFlightRequests.close(response, socket);
      cacheEntry?.finish();
      request.context.close(!aborted);
      if (!request.complete) this.discardedBodies.discardAfterResponse(request, socket);
      const durationMs = performance.now() - startedAt;
      // An error status of a response that was cut says why the service itself cut it.
      const status = aborted && response.statusCode < 400 ? CLIENT_CLOSED_REQUEST : response.statusCode;
      try {
        this.requestCounts.add(request, status, durationMs / 1_000);
        logRequest(this.logger, request, { status, durationMs, aborted });
      } catch (err) {
        this.logger.error({ ...request.context.logFields, err }, 'The work at the end of a request failed.');
      }
    });
    return host;
  }
}

/** @throws UriTooLong: links repeat the target, as it is escaped */
function checkLength({ fullPath, query }: RequestContext): void {
  if (fullPath.length + query.length > MAX_TARGET_LENGTH) throw new UriTooLong();
}

/** @throws InvalidRequest @throws BadRequest */
function checkHostSyntax({ fault }: RequestHost): void {
  if (fault?.getStatus() === 400) throw fault;
}

/** @throws HostNotAllowed */
function checkHostAllowed({ fault }: RequestHost, { route }: RequestContext): void {
  if (fault && !route?.answersAnyHost) throw fault;
}

/** @throws NotFound */
function checkPathParameters({ route, parameters }: RequestContext): void {
  if (route?.integers && !areIdentifying(route.integers, parameters)) throw new NotFound();
}

/** A 308 to the path with its slash, for each method but OPTIONS: a CORS preflight cannot follow it. */
function redirectToSlash({ context, method }: Request): ApiResponse | undefined {
  const { canonicalPath, route, parameters, query } = context;
  if (canonicalPath === undefined || method === 'OPTIONS') return undefined;
  if (route?.integers && !areIdentifying(route.integers, parameters)) return undefined;
  return redirectTo(308, context, { path: canonicalPath, query });
}

/** `OPTIONS *` asks about the service as a whole (RFC 9110 §9.3.7). */
function isAboutService({ method, originalUrl }: Request): boolean {
  return method === 'OPTIONS' && originalUrl === '*';
}

function optionsOfService(): ApiResponse {
  return new ApiResponse({ status: 204, headers: { Allow: METHODS.join(', ') } });
}

/**
 * Checks the method, and responds to OPTIONS. Where a handler without an `@Operation()` takes all methods, it does so
 * itself.
 *
 * @throws MethodNotAllowed
 */
function checkMethod(
  { context, method }: Request,
  undeclared: Undeclared | undefined,
): ApiResponse | undefined {
  const { operation, route } = context;
  if (operation) return undefined;
  const allowed = undeclared?.methods ?? allowedMethods(route!);
  if (allowed.length === 0) return undefined;
  const allow = allowed.join(', ');
  if (!allowed.includes(method)) throw new MethodNotAllowed(method, allow);
  if (method !== 'OPTIONS') return undefined;
  const consumed = route?.methods.POST?.consumes ?? [];
  const accepted = consumed.length > 0 && { 'Accept-Post': consumed.join(', ') };
  return new ApiResponse({ status: 204, headers: { Allow: allow, ...accepted } });
}

/** Checks `Accept`, and redirects clients that prefer the browsable form. @throws NotAcceptable */
function checkAccept({ context, headers: { accept } }: Request): ApiResponse | undefined {
  const { method, operation, representation } = context;
  if (!method || !operation || method.produces.length === 0) return undefined;
  const { produces } = method;
  const { vary } = operation;
  if (!representation) throw new NotAcceptable(produces, { accept, vary });
  return representation.seeOther === undefined
    ? undefined
    : redirectToForm(context, representation.seeOther, vary);
}

/** The browsable form gets the parameters of the path and the query, so that it can show the same. */
function redirectToForm(context: RequestContext, form: string, vary: string): ApiResponse {
  const { parameters, query } = context;
  const all = [new URLSearchParams(parameters).toString(), query].filter((part) => part !== '');
  return redirectTo(303, context, { path: form, query: all.join('&') }, { Vary: vary });
}

/** @param path may have a fragment, before which the query is inserted */
function redirectTo(
  status: 303 | 308,
  { baseUrl }: RequestContext,
  { path, query }: { readonly path: string; readonly query: string },
  headers?: Readonly<Record<string, string>>,
): ApiResponse {
  const [target, fragment] = path.split('#');
  const Location = [
    baseUrl,
    target,
    query === '' ? '' : `?${query}`,
    fragment === undefined ? '' : `#${fragment}`,
  ].join('');
  const all = { Location, 'Cache-Control': 'no-cache', ...headers };
  return new ApiResponse({ status, headers: all, body: '' });
}
