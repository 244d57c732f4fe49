import type { Request, Response } from 'express';
import {
  MethodNotAllowed,
  NotAcceptable,
  NotFound,
  ServiceStopping,
  TooManyImports,
} from '../../problem-details/problems.js';
import type { Settings } from '../../settings/settings.js';
import { negotiate } from '../protocol/accept.js';
import type { IssuedTokens } from '../request/author.js';
import { BodyMemoryBudget } from '../request/body-memory.js';
import { RequestBodyStream, streamBody } from '../request/body-stream.js';
import { clientOfRequest } from '../request/client-address.js';
import { IdempotentRequest } from '../request/idempotent-request.js';
import { readInput, readPath } from '../request/input-reader.js';
import { checkBodyHeaders, readRequestBody } from '../request/request-body.js';
import { RequestContext } from '../request/request-context.js';
import { ApiResponse, sendResponse } from '../response/api-response.js';
import { strictTransportOf } from '../response/head.js';
import { type CacheKey, type Done, type ResponseCache, SharedResponses } from '../response/response-cache.js';
import { BearerTokens } from './bearer-tokens.js';
import { FairShares } from './fair-shares.js';
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

/** A body must keep moving: so long without a byte ends it. */
const BODY_IDLE_TIMEOUT_MS = 30_000;

/** How many imports run at once; each takes work of the event loop, a file and a thread that inflates. */
const BODY_STREAMS = { total: 16, perClient: 4 };

/** How many posts of the largest size may wait to be read by their clients. */
const LARGEST_RESPONSES = 4;
/** With a small MAX_BODY_BYTES there may be larger posts from before. */
const MIN_RESPONSE_MEMORY_BYTES = 64 * 1_024 * 1_024;

/** A request for a cacheable response, and what was known when it came. */
interface Waiter {
  readonly request: Request;
  readonly response: Response;
  readonly next: () => void;
  readonly cacheKey: CacheKey;
  readonly token: number | undefined;
}

/**
 * What stands before Express and Nest: everything about a request that can be decided by the route table and its header
 * fields, in the order of the drawing in docs/architecture.md; then its body. Nest strips the slash that closes a path, so the
 * rules about paths can stand nowhere else.
 */
export class HttpPipeline {
  readonly #baseUrlOf: (request: Request) => string;
  readonly #guard: OriginGuard;
  readonly #tokens: BearerTokens;
  readonly #cors: Cors;
  readonly #rateLimit: RateLimit | undefined;
  readonly #bodyMemory: BodyMemoryBudget;
  readonly #bodyStreams = new FairShares(BODY_STREAMS);
  readonly #responseMemory: ReaderShares;
  readonly #strictTransport: string | undefined;
  readonly #sharedResponses = new SharedResponses<Waiter>(
    (waiter, done) => this.#makeResponse(waiter, done),
    (waiter, apiResponse) => void this.#giveResponse(waiter, apiResponse),
  );

  constructor(
    private readonly settings: Settings,
    private readonly routes: RouteTable,
    private readonly responses: ResponseCache,
    private readonly inFlightRequests: InFlightRequests,
    issuedTokens: IssuedTokens,
    /** Sees every request as it comes in. */
    private readonly observe: (request: Request, response: Response) => void,
    /** Responds with a problem. */
    private readonly refuse: (problem: unknown, request: Request, response: Response) => void,
  ) {
    this.#baseUrlOf = baseUrls(settings);
    this.#bodyMemory = new BodyMemoryBudget(settings.maxBodyBytes);
    this.#responseMemory = new ReaderShares(
      Math.max(LARGEST_RESPONSES * settings.maxBodyBytes, MIN_RESPONSE_MEMORY_BYTES),
    );
    this.#guard = new OriginGuard(settings);
    this.#strictTransport = strictTransportOf(settings);
    this.#tokens = new BearerTokens(settings.apiTokens, issuedTokens);
    this.#cors = new Cors(settings.corsOrigins);
    this.#rateLimit =
      settings.rateLimitPerMinute === undefined ? undefined : new RateLimit(settings.rateLimitPerMinute);
  }

  /**
   * Responds to what the route table and the header fields decide. All other requests go on to their handler once their
   * body is read and their input is checked.
   *
   * @param next takes the request further, into Express and Nest
   */
  handle(request: Request, response: Response, next: () => void): void {
    const context = new RequestContext(request, this.#strictTransport);
    // Until it is known where links start, they are relative: all that a bad Host leaves to an error.
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

  /** To be called once the response is complete, or the client has gone. */
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
    const { context } = request;
    assertOneHost(request);
    context.baseUrl = this.#baseUrlOf(request);
    const { path } = context;
    const match = path === undefined ? undefined : this.routes.find(path);
    if (!match?.route.isOperational) {
      // A browser asks them by itself, and the requests that follow count.
      if (!isPreflight(request)) this.#rateLimit?.take(request, response);
      if (this.inFlightRequests.isStopping) throw new ServiceStopping();
    }
    if (context.fullPath === '*' && request.method === 'OPTIONS') {
      // About the server as a whole (RFC 9110 §9.3.7).
      void sendResponse(
        request,
        response,
        new ApiResponse({ status: 204, headers: { Allow: METHODS.join(', ') } }),
      );
      return;
    }
    if (path === undefined || !match) throw new NotFound();
    context.route = match.route;
    context.parameters = match.parameters;
    // The handlers behind know neither the prefix nor the absolute form.
    const handledAt = match.route.handledAt ?? path;
    request.url = context.query === '' ? handledAt : `${handledAt}?${context.query}`;

    if (match.canonicalPath !== undefined && request.method !== 'OPTIONS') {
      redirect(request, response, 308, match.canonicalPath, context.query);
      return;
    }
    const operation = operationOf(match.route, request.method as Method);
    const isWrite = WRITES.has(request.method);
    this.#guard.assertHostAllowed(request);
    if (isWrite) this.#guard.assertMayWrite(request);
    const admitted = this.#tokens.admit(request, operation);
    if (!admitted) {
      this.#dispatch(match, operation, request, response, next);
      return;
    }
    // Only a request with one of our own tokens waits.
    admitted
      .then(() => this.#dispatch(match, operation, request, response, next))
      .catch((problem: unknown) => this.refuse(problem, request, response));
  }

  /** Stage 2: the cached response; then the path's parameters and the method. @throws a Problem */
  #dispatch(
    match: RouteMatch,
    operation: RouteOperation | undefined,
    request: Request,
    response: Response,
    next: () => void,
  ): void {
    const { context } = request;
    const { route, allow, parameters } = match;
    if (operation && this.#sendCached(operation, request, response)) return;
    const path = route.parameters && readPath(parameters, route.parameters);
    if (request.method === 'OPTIONS') {
      this.#cors.preflightResponse(request, response, allow);
      const consumed = route.operations.POST?.consumes?.join(', ');
      const headers = { Allow: allow, ...(consumed !== undefined && { 'Accept-Post': consumed }) };
      void sendResponse(request, response, new ApiResponse({ status: 204, headers }));
    } else if (operation) {
      context.operation = operation;
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
    const { produces, consumes, declaration, input } = operation;
    if (produces.length > 0) {
      const representation = negotiate(request.headers.accept, produces);
      if (!representation) throw new NotAcceptable(produces.map(({ mediaType }) => mediaType));
      if (representation.seeOther !== undefined) {
        redirect(request, response, 303, representation.seeOther, '');
        return;
      }
      context.representation = representation;
    }
    const handle = (): void => {
      context.input = readInput(input, path, context);
      next();
    };
    if (declaration.cacheable) {
      context.input = readInput(input, path, context);
      this.#shareResponse(request, response, next);
      return;
    }
    if (!consumes) {
      handle();
      return;
    }
    const format = checkBodyHeaders(request, consumes);
    if (declaration.takesIdempotencyKey)
      context.idempotent = IdempotentRequest.from(
        request,
        context.bearerId,
        format,
        (value) => operation.respond(value as never, context) as ApiResponse,
      );
    const onBytes = context.idempotent && ((bytes: Buffer) => context.idempotent?.payload.update(bytes));
    const onReadStart = (): void => {
      if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    };
    const client = clientOfRequest(request);
    const memory = this.#bodyMemory.lease(client);
    context.memoryLease = memory;
    if (format && declaration.streams?.includes(format.type)) {
      const share = this.#bodyStreams.open(client);
      if (!share.take(1)) throw new TooManyImports();
      const chunks = streamBody(request, {
        share,
        memory,
        codings: format.codings,
        idleTimeoutMs: BODY_IDLE_TIMEOUT_MS,
        signal: this.inFlightRequests.stopDeadline,
        onBytes,
        onReadStart,
      });
      context.bodyStream = new RequestBodyStream(format.type, chunks, share, memory);
      handle();
      return;
    }
    readRequestBody(request, format, {
      maxBodyBytes: Math.min(this.settings.maxBodyBytes, declaration.maxBodyBytes ?? Infinity),
      idleTimeoutMs: BODY_IDLE_TIMEOUT_MS,
      memory,
      reading: this.inFlightRequests.reading,
      onBytes,
      forms: input.forms,
      onReadStart,
    })
      .then((body) => {
        context.body = body;
        handle();
      })
      .catch((problem: unknown) => this.refuse(problem, request, response));
  }

  /** Sends the cached response, if nothing that is stored has changed since. @returns whether it did */
  #sendCached(operation: RouteOperation, request: Request, response: Response): boolean {
    if (!operation.declaration.cacheable) return false;
    const representation = negotiate(request.headers.accept, operation.produces);
    if (!representation || representation.seeOther !== undefined) return false;
    const { context } = request;
    context.representation = representation;
    context.cacheToken = this.responses.begin();
    const cached = context.cacheToken === undefined ? undefined : this.responses.find(cacheKeyOf(request));
    if (cached) {
      sendResponse(request, response, cached)?.catch((problem: unknown) =>
        this.refuse(problem, request, response),
      );
    }
    return cached !== undefined;
  }

  /** Makes the response, or waits for the one that is being made for the same request of others. */
  #shareResponse(request: Request, response: Response, next: () => void): void {
    const cacheKey = cacheKeyOf(request);
    const { target, baseUrl, representation, preference } = cacheKey;
    const key = [target, baseUrl, representation.mediaType, preference].join('\n');
    this.#sharedResponses.ask(key, { request, response, next, cacheKey, token: request.context.cacheToken });
  }

  /**
   * Makes a response, caches and shares it. The callback captures neither the request nor the response: measured, all
   * responses that follow would outlive the scavenges, 3 KiB each.
   */
  #makeResponse({ request, next, cacheKey, token }: Waiter, done: Done): void {
    request.context.onResponse = (apiResponse) => {
      if (apiResponse && token !== undefined) this.responses.keep(cacheKey, apiResponse, token);
      done(apiResponse);
    };
    next();
  }

  async #giveResponse({ request, response }: Waiter, apiResponse: ApiResponse): Promise<void> {
    try {
      await sendResponse(request, response, apiResponse);
    } catch (problem) {
      this.refuse(problem, request, response);
    }
  }

  #pathBelowPrefix(fullPath: string): string | undefined {
    const { basePath } = this.settings;
    if (basePath === '') return fullPath;
    if (!fullPath.startsWith(basePath)) return undefined;
    const rest = fullPath.slice(basePath.length);
    if (rest === '') return '';
    return rest.startsWith('/') ? rest : undefined;
  }
}

function cacheKeyOf({ context, headers }: Request): CacheKey {
  const { target, baseUrl, representation } = context;
  return {
    target,
    baseUrl,
    representation: representation!,
    preference: headers['prefer']?.toString() ?? '',
  };
}

function redirect(
  request: Request,
  response: Response,
  status: 303 | 308,
  path: string,
  query: string,
): void {
  const location = `${request.context.baseUrl}${path}${query === '' ? '' : `?${query}`}`;
  const headers = { Location: location, ...(status === 303 && { Vary: 'Accept' }) };
  void sendResponse(request, response, new ApiResponse({ status, headers, body: '' }));
}
