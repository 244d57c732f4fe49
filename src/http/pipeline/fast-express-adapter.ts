import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { minimalResponse, prefersMinimal } from '../protocol/prefer.js';
import { ApiResponse, sendResponse } from '../response/api-response.js';
import { sendStream, StreamedResponse } from '../response/streamed-response.js';
import { ConnectionShares } from './fair-shares.js';
import type { HttpPipeline } from './http-pipeline.js';
import type { InFlightRequests } from './in-flight-requests.js';

/** Headers must have arrived by then; Node checks for it every second. */
const HEADERS_TIMEOUT_MS = 20_000;
const CHECK_INTERVAL_MS = 1_000;
/** Longer than a proxy keeps its own connections, so that the proxy is the one that closes. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Room for the longest list of ids that a client may ask for: 1,000 of 16 digits, with `%2C` between them. */
const MAX_HEADER_BYTES = 32_768;
/** A connection on which nothing moves at all, in either direction. */
const IDLE_TIMEOUT_MS = 120_000;
/** Each takes some kilobytes even when nothing is asked on it; those beyond are closed at once. */
const MAX_CONNECTIONS = 10_000;
/** Of one address that is not a trusted proxy; an IPv6 /64 counts as one. */
const MAX_CLIENT_CONNECTIONS = 2_500;
/** The status of what Node's parser refuses, where it is not 400. */
const PARSER_STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Where Nest's `@Query()`, `@Body()` and `@Param()` look: they are given the checked input. */
const INPUT_OF_NEST: PropertyDescriptorMap & ThisType<Request> = {
  query: {
    get: function () {
      return this.context.input?.query;
    },
  },
  body: {
    get: function () {
      return this.context.input?.body;
    },
  },
  params: {
    get: function () {
      return this.context.input?.path;
    },
    // Express matches the path again; what it finds is not used.
    set: function () {},
  },
};

/** Nest's Express adapter, without what makes Express slow, and with responses that are written in one place. */
export class FastExpressAdapter extends ExpressAdapter {
  #pipeline: HttpPipeline | undefined;
  #inFlightRequests: InFlightRequests | undefined;
  #checkStart: (() => void) | undefined;

  /** Sends every request through the pipeline first. Its own responses cost nothing of Express or Nest. */
  usePipeline(pipeline: HttpPipeline, inFlightRequests: InFlightRequests, checkStart: () => void): void {
    this.#pipeline = pipeline;
    this.#inFlightRequests = inFlightRequests;
    this.#checkStart = checkStart;
  }

  /** Nest calls it once the application is configured, and before it has any route. */
  override async init(): Promise<void> {
    this.#checkStart?.();
    await super.init?.();
  }

  /**
   * Express calls `Object.setPrototypeOf` on every request and response, which throws V8's fast paths away
   * (expressjs/express#5998, nodejs/node#37457). A server that creates them with those very prototypes makes the call
   * change nothing: measured, Express handles 4 times as many requests a second.
   */
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const ExpressRequest = derive(IncomingMessage, app.request);
    Object.defineProperties(ExpressRequest.prototype, INPUT_OF_NEST);
    const ExpressResponse = derive(ServerResponse, app.response);
    app.request = ExpressRequest.prototype as unknown as Express['request'];
    app.response = ExpressResponse.prototype as unknown as Express['response'];
    const receive = (request: Request, response: Response): void => {
      const handle = (): void => this.#pipeline!.handle(request, response, () => app(request, response));
      // A pipelined request waits until the responses before it are sent. Node gives its response a connection only then,
      // and never says that the client has gone before. If the connection closes first, nothing has been done for it.
      if (response.socket) handle();
      else response.once('socket', handle);
    };
    const server: Server = createServer(
      {
        IncomingMessage: ExpressRequest,
        ServerResponse: ExpressResponse,
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: HEADERS_TIMEOUT_MS,
        connectionsCheckingInterval: CHECK_INTERVAL_MS,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        // How long a body takes is its own matter as long as it keeps moving; see request-body.ts.
        requestTimeout: 0,
        noDelay: true,
      },
      receive as RequestListener,
    );
    server.maxConnections = MAX_CONNECTIONS;
    const connections = new ConnectionShares(
      { total: MAX_CONNECTIONS, perClient: MAX_CLIENT_CONNECTIONS },
      (address) =>
        (app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean)(address, 0),
    );
    server.on('connection', connections.accept);
    server.setTimeout(IDLE_TIMEOUT_MS, (socket) => {
      // A long import moves nothing either; waiting for it, the client is not to blame.
      if (this.#inFlightRequests?.isOurTurn(socket)) socket.setTimeout(IDLE_TIMEOUT_MS);
      else socket.destroy();
    });
    // Whether the body is wanted at all is decided before the client is told to send it; see http-pipeline.ts.
    server.on('checkContinue', receive);
    // An expectation that is not understood may be ignored (RFC 9110 §10.1.1).
    server.on('checkExpectation', receive);
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      const response = this.#inFlightRequests?.responseOn(socket);
      if (response?.req.complete === true) endAfter(response, socket);
      else refuse(error, socket, response);
    });
    this.httpServer = server;
  }

  /** Writes what a controller returned. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const { context } = response.req;
    if (!context.operation) return super.reply(response, body, statusCode);
    const whole =
      body instanceof ApiResponse || body instanceof StreamedResponse
        ? body
        : context.operation.respond(body as never, context);
    // Also of a response to an earlier request with the same Idempotency-Key: each request says for itself how much it wants.
    const isMinimal =
      context.operation.declaration.takesReturnPreference === true &&
      prefersMinimal(response.req.get('Prefer'));
    const apiResponse = isMinimal && whole instanceof ApiResponse ? minimalResponse(whole) : whole;
    context.onResponse?.(apiResponse instanceof ApiResponse ? apiResponse : undefined);
    return apiResponse instanceof ApiResponse
      ? sendResponse(response.req, response, apiResponse)
      : sendStream(response.req, response, apiResponse);
  }
}

/** Lets a request come to its end that was whole before something followed it that is no request. */
function endAfter(response: ServerResponse, socket: Socket): void {
  if (!response.shouldKeepAlive) return;
  response.shouldKeepAlive = false;
  // Its header may have been sent already.
  response.once('close', () => socket.destroySoon());
}

/** What Node does by itself as long as nothing listens to `clientError`. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, response: ServerResponse | undefined): void {
  const status = PARSER_STATUSES[error.code ?? ''] ?? 400;
  if (socket.writable && response?.headersSent !== true) {
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
  }
  socket.destroy(error);
}

/**
 * A class of Node's own objects that have what Express gives them.
 *
 * It has to be a class: V8 foresees room for as many properties as the constructors of a class and its ancestors assign.
 * Without that room Node's constructors soon turn the object into a dictionary, which makes everything that touches it
 * slower: measured, a response from the cache costs a quarter more.
 */
function derive<Base extends typeof IncomingMessage | typeof ServerResponse>(
  base: Base,
  prototype: object,
): Base {
  const Derived = class extends (base as typeof IncomingMessage) {};
  Object.setPrototypeOf(Derived.prototype, prototype);
  return Derived as unknown as Base;
}
