import type { Request, Response } from 'express';
import {
  MethodNotAllowed,
  NotAcceptable,
  NotFound,
  ServiceStopping,
} from '../../problem-details/problems.js';
import type { Settings } from '../../settings/settings.js';
import { negotiate } from '../protocol/accept.js';
import type { IssuedTokens } from '../request/author.js';
import { readInput, readPath } from '../request/input-reader.js';
import { RequestBodies } from '../request/request-body.js';
import { RequestContext } from '../request/request-context.js';
import { ApiResponse, sendResponse } from '../response/api-response.js';
import { strictTransportOf } from '../response/head.js';
import { CacheableResponses, type ChangeDetector } from '../response/response-cache.js';
import { BearerTokens } from './bearer-tokens.js';
import { assertOneHost, baseUrls } from './host.js';
import { afterBody, drainBounded, type InFlightRequests } from './in-flight-requests.js';
import { Cors, isPreflight, OriginGuard } from './origin-guard.js';
import { RateLimit } from './rate-limit.js';
import { ReaderShares } from './reader-shares.js';
import {
  type Method,
  METHODS,
  operationOf,
  type RouteMatch,
  type RouteOperation,
  type RouteTable,
  WRITES,
} from './route-table.js';

/** The number of posts of the maximum size that may wait for their clients to read them. */
const LARGEST_RESPONSES = 4;
/** Older posts may be larger than a small MAX_BODY_BYTES. */
const MIN_RESPONSE_MEMORY_BYTES = 64 * 1_024 * 1_024;

/**
 * Runs before Express and Nest. It performs the checks that need only the route table and the header fields, in the
 * order of the diagram in docs/architecture.md, then reads the body. Nest strips the trailing slash of a path, so rules
 * about paths must be applied here.
 */
export class HttpPipeline {
  readonly #baseUrlOf: (request: Request) => string;
  readonly #guard: OriginGuard;
  readonly #tokens: BearerTokens;
  readonly #cors: Cors;
  readonly #rateLimit: RateLimit | undefined;
  readonly #bodies: RequestBodies;
  readonly #responseMemory: ReaderShares;
  readonly #strictTransport: string | undefined;
  readonly #cacheable: CacheableResponses;

  constructor(
    private readonly settings: Settings,
    private readonly routes: RouteTable,
    changes: ChangeDetector,
    private readonly inFlightRequests: InFlightRequests,
    issuedTokens: IssuedTokens,
    private readonly observe: (request: Request, response: Response) => void,
    private readonly refuse: (problem: unknown, request: Request, response: Response) => void,
  ) {
    const { corsOrigins, apiTokens, maxBodyBytes, rateLimitPerMinute } = settings;
    this.#baseUrlOf = baseUrls(settings);
    this.#guard = new OriginGuard(settings);
    this.#tokens = new BearerTokens(apiTokens, issuedTokens);
    this.#cors = new Cors(corsOrigins);
    this.#rateLimit = rateLimitPerMinute === undefined ? undefined : new RateLimit(rateLimitPerMinute);
    this.#bodies = new RequestBodies(maxBodyBytes, inFlightRequests);
    this.#responseMemory = new ReaderShares(
      Math.max(LARGEST_RESPONSES * maxBodyBytes, MIN_RESPONSE_MEMORY_BYTES),
    );
    this.#strictTransport = strictTransportOf(settings);
    this.#cacheable = new CacheableResponses(changes, (...sent) => this.#send(...sent));
  }

  /**
   * Responds when the route table and the header fields suffice. Other requests go to their handler after their body is
   * read and their input is validated.
   *
   * @param next passes the request to Express and Nest
   */
  handle(request: Request, response: Response, next: () => void): void {
    const context = new RequestContext(request, this.#strictTransport);
    // Links are relative until the base URL is known. An error about a malformed Host keeps relative links.
    context.baseUrl = this.settings.publicUrl ?? this.settings.basePath;
    context.path = this.#pathBelowPrefix(context.fullPath);
    context.responseMemory = this.#responseMemory;
    context.routes = this.routes;
    request.context = context;
    context.open = this.inFlightRequests.open(response);
    this.observe(request, response);
    this.#cors.share(request, response);
    try {
      this.#authorize(request, response, next);
    } catch (problem) {
      const refuse = (): void => this.refuse(problem, request, response);
      if (problem instanceof ServiceStopping) afterBody(request, refuse);
      else refuse();
    }
  }

  /** Call when the response is complete or the client has disconnected. */
  complete(request: Request): void {
    const { open, memoryLease, bodyStream, onResponse, socket } = request.context;
    onResponse?.(undefined);
    if (open) this.inFlightRequests.close(open);
    memoryLease?.release();
    bodyStream?.close();
    drainBounded(request, socket, this.settings.maxBodyBytes);
  }

  /** Stage 1: host, route, rate limit, origin and token. @throws a Problem */
  #authorize(request: Request, response: Response, next: () => void): void {
    const { context, method } = request;
    assertOneHost(request);
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
      this.#guard.assertHostAllowed(request);
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
      this.#redirect(request, response, 308, match.canonicalPath, context.query);
      return;
    }
    const operation = operationOf(route, method as Method);
    const isWrite = WRITES.has(method);
    this.#guard.assertHostAllowed(request);
    if (isWrite) this.#guard.assertMayWrite(request);
    // Operational routes need no token and must not wait for the database.
    const authorized = route.isOperational ? undefined : this.#tokens.authorize(request, operation);
    if (!authorized) {
      this.#dispatch(match, operation, request, response, next);
      return;
    }
    // Only a request with a token issued by this service waits.
    authorized
      .then(() => this.#dispatch(match, operation, request, response, next))
      .catch((problem: unknown) => this.refuse(problem, request, response));
  }

  /** Stage 2: the cached response; then the path's parameters and the method. @throws a Problem */
  #dispatch(
    { route, allow, parameters }: RouteMatch,
    operation: RouteOperation | undefined,
    request: Request,
    response: Response,
    next: () => void,
  ): void {
    if (operation && this.#cacheable.sendCached(operation, request, response)) return;
    const path = route.parameters && readPath(parameters, route.parameters);
    if (request.method === 'OPTIONS') {
      this.#cors.preflightResponse(request, response, allow);
      const consumed = route.operations.POST?.consumes?.join(', ');
      const headers = { Allow: allow, ...(consumed !== undefined && { 'Accept-Post': consumed }) };
      this.#send(request, response, new ApiResponse({ status: 204, headers }));
    } else if (operation) {
      request.context.operation = operation;
      this.#perform(operation, path, request, response, next);
    } else {
      throw new MethodNotAllowed(request.method, allow);
    }
  }

  /** Stage 3: the representation, the body and the input; then the handler. @throws a Problem */
  #perform(
    operation: RouteOperation,
    path: object | undefined,
    request: Request,
    response: Response,
    next: () => void,
  ): void {
    const { context } = request;
    const { produces, declaration, input } = operation;
    if (produces.length > 0) {
      const representation = negotiate(request.headers.accept, produces);
      if (!representation) throw new NotAcceptable(produces.map(({ mediaType }) => mediaType));
      if (representation.seeOther !== undefined) {
        this.#redirect(request, response, 303, representation.seeOther, addressOf(context));
        return;
      }
      context.representation = representation;
    }
    const reading = this.#bodies.read(operation, request, response);
    if (reading) {
      reading
        .then(() => {
          context.input = readInput(input, path, context);
          next();
        })
        .catch((problem: unknown) => this.refuse(problem, request, response));
      return;
    }
    context.input = readInput(input, path, context);
    if (declaration.cacheable) this.#cacheable.share(request, response, next);
    else next();
  }

  #redirect(request: Request, response: Response, status: 303 | 308, path: string, query: string): void {
    const [beforeFragment, fragment = ''] = path.split(/(?=#)/);
    const location = `${request.context.baseUrl}${beforeFragment}${query === '' ? '' : `?${query}`}${fragment}`;
    const headers = { Location: location, ...(status === 303 && { Vary: 'Accept' }) };
    this.#send(request, response, new ApiResponse({ status, headers, body: '' }));
  }

  #send(request: Request, response: Response, apiResponse: ApiResponse): void {
    const refuse = (problem: unknown): void => this.refuse(problem, request, response);
    try {
      sendResponse(request, response, apiResponse)?.catch(refuse);
    } catch (problem) {
      // A failed precondition concerns only this request; others may be waiting for the same response.
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

function addressOf({ parameters, query }: RequestContext): string {
  const ofPath = new URLSearchParams(parameters).toString();
  return [ofPath, query].filter((part) => part !== '').join('&');
}
