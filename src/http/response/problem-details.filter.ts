import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Logger, stdSerializers } from 'pino';
import { PROBLEM_TYPE } from '../protocol/media-type.js';
import { ClientGone } from '../client/client-gone.js';
import { type Fields } from './prebuilt-response.js';
import { allowedMethods, RouteTable } from '../routes/route-table.js';
import { ApiResponse } from './api-response.js';
import { DiscardedBodies } from './discarded-bodies.js';
import { ResponseWriter } from './response-writer.js';
import { LOGGER } from '../../logging/logger.js';
import {
  OutcomeUnknown,
  type Problem,
  ServiceStopping,
  ServiceUnavailable,
  UniqueValues,
} from '../../problem-details/index.js';
import { toProblem } from './to-problem.js';

/** Converts every error to `application/problem+json` (RFC 9457), wherever it was thrown. */
@Catch()
export class ProblemDetailsFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly writer: ResponseWriter,
    private readonly routes: RouteTable,
    private readonly uniqueValues: UniqueValues,
    private readonly discardedBodies: DiscardedBodies,
  ) {}

  /** Nest calls it for the errors of middleware, guards, interceptors and handlers. */
  catch(thrown: unknown, host: ArgumentsHost): void {
    // A WebSocket or a microservice has no HTTP response: Nest's own filter follows.
    if (thrown instanceof ClientGone || host.getType() !== 'http') return;
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    if (!('context' in request)) {
      this.logger.error({ err: thrown }, 'A middleware of app.use() failed.');
      return void response.status(500).end();
    }
    const problem = toProblem(thrown, this.uniqueValues);
    this.#report(problem, request);
    // The client gets the whole response, although something failed after it.
    if (response.writableEnded) return;
    if (response.headersSent) {
      // Sent data cannot be taken back. A reset tells the client that the response is incomplete, also where the end of
      // the connection is the end of the body (RFC 9112 §8). The log and the metrics have the status of the problem.
      response.statusCode = problem.getStatus();
      request.context.socket.resetAndDestroy();
    } else {
      void this.#send(problem, request, response);
    }
  }

  /** Refusals are expected, such as of writes to a full disk: the log line of the request has the reason. */
  #report(problem: Problem, { context }: Request): void {
    const { message, cause } = problem;
    if (problem instanceof ServiceUnavailable || problem instanceof OutcomeUnknown) {
      // The messages of the error and its causes.
      const reason = cause instanceof Error ? stdSerializers.err(cause).message : undefined;
      context.refusal = { detail: message, cause: reason };
    } else if (problem.getStatus() >= 500) {
      this.logger.error({ ...context.logFields, err: cause ?? problem }, message);
    }
  }

  /** The fields that a status requires (RFC 9110 §15.5.2, §15.5.6, §15.6.4), which exceptions of Nest do not have. */
  #fieldsFor({ cause, kind: { status } }: Problem, { context }: Request, response: Response): Fields {
    if (!(cause instanceof HttpException)) return {};
    const isTemporary = status === 503 || status === 429;
    if (isTemporary && !response.hasHeader('Retry-After')) return { 'Retry-After': '1' };
    if (status === 401) return { 'WWW-Authenticate': 'Bearer realm="posts"' };
    if (status !== 405) return {};
    const { route, path } = context;
    const allowed = route ? allowedMethods(route) : this.routes.undeclaredAt(path).methods;
    return { Allow: allowed.join(', ') };
  }

  async #send(problem: Problem, request: Request, response: Response): Promise<void> {
    try {
      // A client that waits for 100 Continue sends no body.
      // A service that stops has no time for that; it reads on for a moment after the response.
      const isPatient = !(problem instanceof ServiceStopping) && request.headers.expect === undefined;
      if (isPatient && !response.shouldKeepAlive && !request.complete)
        await this.discardedBodies.waitForEnd(request);
      await this.writer.send(
        request,
        response,
        toResponse(problem, request, this.#fieldsFor(problem, request, response)),
      );
    } catch (error) {
      if (error instanceof ClientGone) return;
      this.logger.error({ ...request.context.logFields, err: error }, 'The problem could not be sent.');
      response.destroy();
    }
  }
}

/** @param fields besides those of the problem */
function toResponse(problem: Problem, { context }: Request, fields: Fields): ApiResponse {
  const { status, slug, title, remedy } = problem.kind;
  const document = {
    type: remedy === undefined ? 'about:blank' : `${context.urlOf('problem-list')}#${slug}`,
    code: slug,
    title,
    status,
    detail: problem.message,
    instance: context.publicPath,
    request_id: context.id,
    ...(problem.errors && { errors: problem.errors }),
  };
  return new ApiResponse({
    status,
    headers: {
      'Content-Type': PROBLEM_TYPE,
      'Cache-Control': 'no-store',
      ...fields,
      ...problem.headers,
    },
    // RFC 9457: an exception of Nest adds members, and does not replace ours.
    body: JSON.stringify({ ...document, ...problem.members, ...document }),
  });
}
