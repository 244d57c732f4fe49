import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { LOGGER } from '../../logging/logger.js';
import { type CompletionObserver, observeCompletion } from '../../logging/request-log.js';
import { ProblemDetailsFilter } from '../../problem-details/problem-details.filter.js';
import {
  HostNotAllowed,
  MethodNotAllowed,
  NotFound,
  ServiceStopping,
} from '../../problem-details/problems.js';
import { type Settings, SETTINGS } from '../../settings/settings.js';
import { ANONYMOUS_USER, type IssuedTokens } from '../request/author.js';
import { negotiate } from '../protocol/accept.js';
import { readPath } from '../request/input-reader.js';
import { RequestContext } from '../request/request-context.js';
import { ApiResponse } from '../response/api-response.js';
import { CachedResponses } from '../response/cached-responses.js';
import { redirectTo } from '../response/redirect.js';
import { ResponseWriter } from '../response/response-writer.js';
import { toResponse } from '../response/to-response.js';
import { AllowedHosts } from './allowed-hosts.js';
import { BearerTokens } from './bearer-tokens.js';
import { assertChunkedOnly, assertOneHost, baseUrls, hostOf } from './host.js';
import { InFlightRequests } from './in-flight-requests.js';
import { Cors, isPreflight, OriginGuard } from './origin-guard.js';
import { RateLimit } from './rate-limit.js';
import {
  type Method,
  METHODS,
  operationOf,
  type RouteMatch,
  type RouteOperation,
  RouteTable,
  WRITES,
} from './route-table.js';
import { discardBody } from './unread-body.js';

/** Injects the {@link IssuedTokens}. */
export const ISSUED_TOKENS = Symbol('IssuedTokens');
/** Injects the list of {@link CompletionObserver}s. */
export const COMPLETION_OBSERVERS = Symbol('CompletionObservers');

/**
 * Runs before Express and Nest, which strips the trailing slash of a path. It performs the checks that need only the
 * route table and the header fields, and sends cached responses. What follows in Nest stands in http.module.ts.
 */
@Injectable()
export class HttpPipeline {
  readonly #baseUrlOf: (request: Request) => string;
  readonly #hosts: AllowedHosts;
  readonly #guard: OriginGuard;
  readonly #tokens: BearerTokens;
  readonly #cors: Cors;
  readonly #rateLimit: RateLimit | undefined;
  readonly #observe: (request: Request, response: Response) => void;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly routes: RouteTable,
    private readonly cached: CachedResponses,
    private readonly writer: ResponseWriter,
    private readonly inFlightRequests: InFlightRequests,
    @Inject(ISSUED_TOKENS) issuedTokens: IssuedTokens,
    @Inject(COMPLETION_OBSERVERS) observers: readonly CompletionObserver[],
    @Inject(LOGGER) logger: Logger,
    private readonly problems: ProblemDetailsFilter,
  ) {
    const { corsOrigins, apiTokens, rateLimitPerMinute } = settings;
    this.#baseUrlOf = baseUrls(settings);
    this.#hosts = new AllowedHosts(settings);
    this.#guard = new OriginGuard(settings);
    this.#tokens = new BearerTokens(apiTokens, issuedTokens);
    this.#cors = new Cors(corsOrigins);
    this.#rateLimit = rateLimitPerMinute === undefined ? undefined : new RateLimit(rateLimitPerMinute);
    this.#observe = observeCompletion(
      [(request) => this.#complete(request), ...observers],
      (err, { context }) => {
        logger.error({ request_id: context.id, err }, 'The work at the end of a request failed.');
      },
    );
  }

  /**
   * Responds when the route table and the header fields suffice. Other requests go to their handler after their body is
   * read and their input is validated.
   *
   * @param next passes the request to Express and Nest
   */
  handle(request: Request, response: Response, next: () => void): void {
    const context = new RequestContext(request);
    // Links are relative until the base URL is known. An error about a malformed Host keeps relative links.
    context.baseUrl = this.settings.publicUrl ?? this.settings.basePath;
    context.path = this.#pathBelowPrefix(context.fullPath);
    context.routes = this.routes;
    request.context = context;
    request.user = ANONYMOUS_USER;
    context.open = this.inFlightRequests.open(response);
    this.#observe(request, response);
    this.#cors.share(request, response);
    try {
      this.#authorize(request, response, next);
    } catch (problem) {
      this.problems.apiResponse(problem, request, response);
    }
  }

  /** Sends what a handler returned, and keeps the response of a cacheable operation for later requests. */
  reply(request: Request, response: Response, value: unknown): Promise<void> | undefined {
    const made = toResponse(value, request);
    if (request.context.operation!.declaration.cacheable) this.cached.keep(request, made);
    return this.writer.send(request, response, made);
  }

  /** The response is complete, or the client has disconnected. */
  #complete(request: Request): void {
    const { open, bodyShare, bodyStream, socket } = request.context;
    if (open) this.inFlightRequests.close(open);
    bodyShare?.release();
    bodyStream?.close();
    discardBody(request, socket);
  }

  /** Stage 1: host, route, rate limit, origin and token. @throws a Problem */
  #authorize(request: Request, response: Response, next: () => void): void {
    const { context, method } = request;
    assertOneHost(request);
    assertChunkedOnly(request);
    context.baseUrl = this.#baseUrlOf(request);
    const { path } = context;
    const match = path === undefined ? undefined : this.routes.find(path);
    if (!match?.route.isOperational) {
      // Browsers send preflights themselves; the requests that follow are counted.
      if (!isPreflight(request)) this.#rateLimit?.take(request, response);
      if (this.inFlightRequests.isStopping) throw new ServiceStopping();
    }
    if (context.fullPath === '*' && method === 'OPTIONS') {
      // `OPTIONS *` applies to the whole server (RFC 9110 §9.3.7).
      this.#assertHostAllowed(request);
      const headers = { Allow: METHODS.join(', ') };
      this.#send(request, response, new ApiResponse({ status: 204, headers }));
      return;
    }
    if (path === undefined || !match) throw new NotFound();
    const { route } = match;
    context.route = route;
    context.parameters = match.parameters;
    // Handlers are registered without the prefix and without the absolute form.
    const handledAt = route.handledAt ?? path;
    request.url = context.query === '' ? handledAt : `${handledAt}?${context.query}`;

    if (match.canonicalPath !== undefined && method !== 'OPTIONS') {
      this.#send(request, response, redirectTo(308, context.baseUrl + match.canonicalPath, context.query));
      return;
    }
    const operation = operationOf(route, method as Method);
    const isWrite = WRITES.has(method);
    if (!route.answersAnyHost) this.#assertHostAllowed(request);
    if (isWrite) this.#guard.assertMayWrite(request);
    // Operational routes need no token and must not wait for the database.
    const authenticated = route.isOperational ? undefined : this.#tokens.authenticate(request, route);
    if (!authenticated) {
      this.#dispatch(match, operation, request, response, next);
      return;
    }
    // Only a request with a token issued by this service waits.
    authenticated
      .then(() => this.#dispatch(match, operation, request, response, next))
      .catch((problem: unknown) => this.problems.apiResponse(problem, request, response));
  }

  /** @throws HostNotAllowed */
  #assertHostAllowed(request: Request): void {
    const { context } = request;
    if (this.#hosts.areAllowed(hostOf(request), context.targetAuthority)) return;
    // The links of the problem do not repeat the rejected host.
    context.baseUrl = this.settings.publicUrl ?? this.settings.basePath;
    throw new HostNotAllowed();
  }

  /** Stage 2: the path's parameters, the method, and the cached response. @throws a Problem */
  #dispatch(
    { route, allow, parameters }: RouteMatch,
    operation: RouteOperation | undefined,
    request: Request,
    response: Response,
    next: () => void,
  ): void {
    const { context } = request;
    context.operation = operation;
    const cached = operation && this.cached.find(request);
    if (cached) {
      this.#send(request, response, cached);
      return;
    }
    context.pathInput = route.parameters && readPath(parameters, route.parameters);
    if (request.method === 'OPTIONS') {
      this.#cors.preflightResponse(request, response, allow);
      const consumed = route.operations.POST?.consumes?.join(', ');
      const headers = { Allow: allow, ...(consumed !== undefined && { 'Accept-Post': consumed }) };
      this.#send(request, response, new ApiResponse({ status: 204, headers }));
    } else if (operation) {
      const form = operation.offersForm
        ? negotiate(request.headers.accept, operation.produces)?.seeOther
        : undefined;
      if (form === undefined) next();
      else this.#send(request, response, toForm(form, context));
    } else {
      throw new MethodNotAllowed(request.method, allow);
    }
  }

  #send(request: Request, response: Response, apiResponse: ApiResponse): void {
    const refuse = (problem: unknown): void => this.problems.apiResponse(problem, request, response);
    try {
      this.writer.send(request, response, apiResponse)?.catch(refuse);
    } catch (problem) {
      refuse(problem);
    }
  }

  #pathBelowPrefix(fullPath: string): string | undefined {
    const { basePath } = this.settings;
    if (basePath === '') return fullPath;
    if (!fullPath.startsWith(basePath)) return undefined;
    const rest = fullPath.slice(basePath.length);
    return rest === '' || rest.startsWith('/') ? rest : undefined;
  }
}

/** The browsable form gets the parameters of the path and the query, so that it can show the same. */
function toForm(path: string, { baseUrl, parameters, query }: RequestContext): ApiResponse {
  const ofPath = new URLSearchParams(parameters).toString();
  return redirectTo(303, baseUrl + path, [ofPath, query].filter((part) => part !== '').join('&'));
}
