import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { MethodNotAllowed, NotAcceptable, NotFound } from '../problem-details/problems.js';
import type { Settings } from '../settings/settings.js';
import { negotiate } from './accept.js';
import { baseUrls } from './base-url.js';
import { BearerTokens } from './bearer-tokens.js';
import { Cors } from './cors.js';
import type { FormRules } from './form-bodies.js';
import { IdempotentRequest } from './idempotent-request.js';
import { OriginGuard } from './origin-guard.js';
import { RateLimit } from './rate-limit.js';
import { checkBodyHeaders, readRequestBody } from './request-body.js';
import { RequestContext } from './request-context.js';
import { type Method, METHODS, type Operation } from './route.js';
import type { RouteMatch, RouteTable } from './route-table.js';

/** A body must keep moving: so long without a byte ends it (contract 9). */
const BODY_IDLE_TIMEOUT_MS = 30_000;

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE', 'PATCH']);

/**
 * What stands before Nest's router: everything about a request that can be decided by the route table and its header
 * fields, in the order of the design's first drawing; then its body. Nest strips the slash that closes a path, so the
 * rules about paths can stand nowhere else.
 */
export class Front {
  readonly #baseUrlOf: (request: Request) => string;
  readonly #guard: OriginGuard;
  readonly #tokens: BearerTokens;
  readonly #cors: Cors;
  readonly #rateLimit: RateLimit | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly routes: RouteTable,
    private readonly forms: FormRules,
  ) {
    this.#baseUrlOf = baseUrls(settings);
    this.#guard = new OriginGuard(settings);
    this.#tokens = new BearerTokens(settings.apiTokens);
    this.#cors = new Cors(settings.corsOrigins);
    this.#rateLimit =
      settings.rateLimitPerMinute === undefined ? undefined : new RateLimit(settings.rateLimitPerMinute);
  }

  /** Gives every request its context, and every answer, whoever writes it, the header fields that all have. */
  readonly open: RequestHandler = (request, response, next) => {
    const context = new RequestContext(request);
    request.context = context;
    response.setHeader('X-Request-Id', context.id);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    this.#cors.share(request, response);
    next();
  };

  /** @throws a Problem; else answers by itself, or hands on a request that the route's handler can trust */
  readonly admit: RequestHandler = (request, response, next) => {
    const { context } = request;
    const path = this.#pathBelowPrefix(context.fullPath);
    const match = path === undefined ? undefined : this.routes.find(path);
    if (!match?.route.isOperational) this.#rateLimit?.take(request, response);
    context.baseUrl = this.#baseUrlOf(request);
    if (context.fullPath === '*' && request.method === 'OPTIONS') {
      // About the server as a whole (RFC 9110 §9.3.7).
      response.writeHead(204, { Allow: METHODS.join(', ') }).end();
      return;
    }
    if (path === undefined || !match) throw new NotFound();
    context.route = match.route;
    context.parameters = match.parameters;
    // The handlers behind know neither the prefix nor the absolute form.
    request.url = context.query === '' ? path : `${path}?${context.query}`;

    if (match.canonicalPath !== undefined && request.method !== 'OPTIONS') {
      redirect(response, 308, context, match.canonicalPath, context.query);
      return;
    }
    const operation = this.#operationOf(request, match);
    let token: string | undefined;
    if (WRITES.has(request.method)) {
      this.#guard.assertMayWrite(request);
      if (match.route.writesNeedToken && operation) {
        token = this.#tokens.assertKnown(request.headers.authorization);
      }
    }
    if (match.route.hasTarget?.(match.parameters) === false) throw new NotFound();
    if (match.route.operations === 'any') {
      next();
    } else if (request.method === 'OPTIONS') {
      response.setHeader('Allow', match.allow);
      this.#cors.answerPreflight(request, response, match.allow);
      response.writeHead(204).end();
    } else if (operation) {
      this.#perform(operation, token, request, response, next);
    } else {
      throw new MethodNotAllowed(request.method, match.allow);
    }
  };

  #perform(
    operation: Operation,
    token: string | undefined,
    request: Request,
    response: Response,
    next: NextFunction,
  ): void {
    const { context } = request;
    const representation = negotiate(request.headers.accept, operation.produces);
    if (!representation) throw new NotAcceptable(operation.produces.map(({ mediaType }) => mediaType));
    if (representation.seeOther !== undefined) {
      response.setHeader('Vary', 'Accept');
      redirect(response, 303, context, representation.seeOther, '');
      return;
    }
    context.representation = representation;
    if (!operation.consumes) {
      next();
      return;
    }
    const format = checkBodyHeaders(request, operation.consumes);
    if (operation.takesIdempotencyKey) context.idempotent = IdempotentRequest.from(request, token, format);
    readRequestBody(request, format, {
      maxBodyBytes: this.settings.maxBodyBytes,
      idleTimeoutMs: BODY_IDLE_TIMEOUT_MS,
      onBytes: context.idempotent && ((bytes) => context.idempotent?.payload.update(bytes)),
      forms: this.forms,
      onReadStart: () => {
        if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
      },
    }).then((body) => {
      context.body = body;
      next();
    }, next);
  }

  #operationOf({ method }: Request, { route: { operations } }: RouteMatch): Operation | undefined {
    if (operations === 'any') return undefined;
    return operations[method as Method] ?? (method === 'HEAD' ? operations.GET : undefined);
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

function redirect(
  response: Response,
  status: 303 | 308,
  { baseUrl }: RequestContext,
  path: string,
  query: string,
): void {
  const location = `${baseUrl}${path}${query === '' ? '' : `?${query}`}`;
  response.writeHead(status, { Location: location, 'Content-Length': 0 }).end();
}
