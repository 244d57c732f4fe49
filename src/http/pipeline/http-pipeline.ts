import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { TokensRepository } from '../../accounts/tokens.repository.js';
import { LOGGER } from '../../logging/logger.js';
import { logRequest } from '../../logging/request-log.js';
import { Metrics } from '../../metrics/metrics.js';
import { ProblemDetailsFilter } from '../../problem-details/problem-details.filter.js';
import {
  HostNotAllowed,
  MethodNotAllowed,
  NotAcceptable,
  NotFound,
  ServiceStopping,
} from '../../problem-details/problems.js';
import { isAllowedHost } from '../../settings/setting-rules.js';
import { type Settings, SETTINGS } from '../../settings/settings.js';
import { negotiate } from '../protocol/accept.js';
import { ANONYMOUS_USER } from '../request/author.js';
import { readPath } from '../request/input-reader.js';
import { RequestContext } from '../request/request-context.js';
import { ApiResponse } from '../response/api-response.js';
import { ResponseCache } from '../response/response-cache.js';
import { ResponseWriter } from '../response/response-writer.js';
import { toResponse } from '../response/to-response.js';
import { BearerTokens } from './bearer-tokens.js';
import { assertWellFormed, baseUrlOf } from './host.js';
import { InFlightRequests } from '../request/in-flight-requests.js';
import { isPreflight, Origins } from './origins.js';
import { RateLimit } from './rate-limit.js';
import {
  allowedMethods,
  METHODS,
  type Needs,
  operationOf,
  type RouteMatch,
  RouteTable,
  WRITES,
} from '../request/route-table.js';
import { discardBody } from './unread-body.js';

/**
 * Runs before Express and Nest, which strips the trailing slash of a path. It performs the checks that need only the
 * route table and the header fields, and sends cached responses. What follows in Nest stands in http.module.ts.
 */
@Injectable()
export class HttpPipeline {
  readonly #origins: Origins;
  readonly #tokens: BearerTokens;
  readonly #rateLimit: RateLimit | undefined;
  /** The base URL of links while the host of the request is unknown or wrong: then links are relative. */
  readonly #ownBaseUrl: string;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly routes: RouteTable,
    private readonly cache: ResponseCache,
    readonly inFlightRequests: InFlightRequests,
    issuedTokens: TokensRepository,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly problems: ProblemDetailsFilter,
    private readonly writer: ResponseWriter,
  ) {
    const { apiTokens, rateLimitPerMinute, publicUrl, basePath } = settings;
    this.#ownBaseUrl = publicUrl ?? basePath;
    this.#origins = new Origins(settings);
    this.#tokens = new BearerTokens(apiTokens, issuedTokens);
    this.#rateLimit = rateLimitPerMinute === undefined ? undefined : new RateLimit(rateLimitPerMinute);
  }

  /**
   * Responds when the route table and the header fields suffice. Other requests go to their handler after their body is
   * read and their input is validated.
   *
   * @param next passes the request to Express and Nest
   */
  handle(request: Request, response: Response, next: RequestListener): void {
    const context = new RequestContext(request, this.settings.basePath);
    context.routes = this.routes;
    context.baseUrl = this.#ownBaseUrl;
    request.context = context;
    request.user = ANONYMOUS_USER;
    this.inFlightRequests.open(response);
    const startedAt = performance.now();
    // 'close' is emitted once, and `on` is cheaper than `once`.
    response.on('close', () => this.#complete(request, response, performance.now() - startedAt));
    this.#origins.share(request, response);
    void this.#respond(request, response, next).catch((problem: unknown) =>
      this.problems.respond(problem, request, response),
    );
  }

  /** Sends what a handler returned, and keeps the response of a cacheable operation for later requests. */
  reply(request: Request, response: Response, value: unknown, status: number): Promise<void> {
    const made = toResponse(value, status, request);
    const { cacheEntry } = request.context;
    if (cacheEntry) this.cache.keep(cacheEntry, made);
    return this.writer.send(request, response, made);
  }

  /** The response is complete, or the client has disconnected. */
  #complete(request: Request, response: Response, durationMs: number): void {
    const { bodyShare, bodyStream, cacheEntry, socket, id } = request.context;
    this.inFlightRequests.close(response, socket);
    if (cacheEntry) this.cache.abandon(cacheEntry);
    bodyShare?.release();
    bodyStream?.close();
    if (!request.complete) void discardBody(request, socket);
    try {
      this.metrics.observe(request, response, durationMs);
      logRequest(this.logger, request, response, durationMs);
    } catch (err) {
      this.logger.error({ request_id: id, err }, 'The work at the end of a request failed.');
    }
  }

  /** @throws a Problem */
  async #respond(request: Request, response: Response, next: RequestListener): Promise<void> {
    const found = this.#route(request, response);
    if (found instanceof ApiResponse) return this.writer.send(request, response, found);
    const authenticated = this.#authorize(found, request);
    // Only a request with a token issued by this service waits.
    if (authenticated) await authenticated;
    const { context, headers } = request;
    if (context.operation) context.representation = negotiate(headers.accept, context.operation.produces);
    const cached = this.cache.find(request);
    const known =
      (cached instanceof Promise ? await cached : cached) ??
      this.#responseWithoutHandler(found, request, response);
    if (known) return this.writer.send(request, response, known);
    next(request, response);
    return undefined;
  }

  /**
   * The checks of the header section, the rate and the path.
   *
   * @returns the response when the path has no handler of its own
   * @throws a Problem
   */
  #route(request: Request, response: Response): RouteMatch | ApiResponse {
    const { context, method } = request;
    assertWellFormed(request);
    context.baseUrl = baseUrlOf(request, this.settings);
    const { path, query } = context;
    const match = path === undefined ? undefined : this.routes.find(path);
    if (!match?.route.isOperational) {
      // Browsers send preflights themselves; the requests that follow are counted.
      if (this.#rateLimit && !isPreflight(request)) this.#rateLimit.take(request, response);
      if (this.inFlightRequests.isStopping) throw new ServiceStopping();
    }
    if (context.fullPath === '*' && method === 'OPTIONS') {
      // `OPTIONS *` applies to the whole server (RFC 9110 §9.3.7).
      this.#assertHostAllowed(request);
      return noContent({ Allow: METHODS.join(', ') });
    }
    if (!match) throw new NotFound();
    const { route, parameters, canonicalPath } = match;
    context.route = route;
    context.parameters = parameters;
    context.operation = operationOf(route, method);
    if (canonicalPath === undefined || method === 'OPTIONS') return match;
    return redirectTo(308, context.baseUrl + canonicalPath, query);
  }

  /** The checks of host, origin and token. @throws a Problem */
  #authorize({ route }: RouteMatch, request: Request): Promise<void> | undefined {
    if (!route.answersAnyHost) this.#assertHostAllowed(request);
    if (WRITES.has(request.method)) this.#origins.assertMayWrite(request);
    // Operational routes need no token and must not wait for the database.
    if (route.isOperational) return undefined;
    return this.#tokens.authenticate(request, request.context.operation?.needs ?? needsOf(request.method));
  }

  /** @throws HostNotAllowed */
  #assertHostAllowed(request: Request): void {
    const { context } = request;
    const hosts = [context.host, context.targetAuthority];
    if (hosts.every((host) => isAllowedHost(host, this.settings.allowedHosts))) return;
    // The links of the problem do not repeat the rejected host.
    context.baseUrl = this.#ownBaseUrl;
    throw new HostNotAllowed();
  }

  /**
   * The path's parameters and the method.
   *
   * @returns the response, or undefined when the handler makes it
   * @throws a Problem
   */
  #responseWithoutHandler(
    { route, parameters }: RouteMatch,
    request: Request,
    response: Response,
  ): ApiResponse | undefined {
    const { context, method } = request;
    context.pathInput = route.parameters && readPath(parameters, route.parameters);
    if (!context.operation) {
      const allow = allowedMethods(route).join(', ');
      if (method !== 'OPTIONS') throw new MethodNotAllowed(method, allow);
      const consumed = route.operations.POST?.consumes?.join(', ');
      this.#origins.answerPreflight(request, response, allow);
      return noContent({ Allow: allow, ...(consumed && { 'Accept-Post': consumed }) });
    }
    const form = context.representation?.seeOther;
    if (form !== undefined) {
      // It gets the parameters of the path and the query, so that it can show the same.
      const all = [new URLSearchParams(parameters).toString(), context.query].filter((part) => part !== '');
      return redirectTo(303, context.baseUrl + form, all.join('&'), context.operation.vary);
    }
    const { produces, vary } = context.operation;
    if (!context.representation && produces.length > 0) {
      throw new NotAcceptable(
        produces.map(({ mediaType }) => mediaType),
        vary,
      );
    }
    // Handlers are registered without the prefix and without the absolute form.
    const handledAt = route.handledAt ?? context.path!;
    request.url = context.query === '' ? handledAt : `${handledAt}?${context.query}`;
    return undefined;
  }
}

/**
 * What a method needs that the route does not have: the token is checked before the method. PATCH needs none, because no
 * route has it.
 */
function needsOf(method: string): Needs {
  return ['POST', 'PUT', 'DELETE'].includes(method) ? 'token' : 'nothing';
}

function noContent(headers: Readonly<Record<string, string>>): ApiResponse {
  return new ApiResponse({ status: 204, headers });
}

/**
 * 308: the same at its canonical path. 303: the browsable form, for clients that prefer HTML.
 *
 * @param url may have a fragment, before which the query is inserted
 */
function redirectTo(status: 303 | 308, url: string, query: string, vary?: string): ApiResponse {
  const [beforeFragment, fragment = ''] = url.split(/(?=#)/);
  const location = `${beforeFragment}${query === '' ? '' : `?${query}`}${fragment}`;
  const headers = {
    Location: location,
    'Cache-Control': 'no-cache',
    ...(vary !== undefined && { Vary: vary }),
  };
  return new ApiResponse({ status, headers, body: '' });
}
