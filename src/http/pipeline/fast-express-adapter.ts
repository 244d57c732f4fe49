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
import { clientOf } from '../request/client-address.js';
import { ClientShares } from '../request/client-shares.js';
import type { HttpPipeline } from './http-pipeline.js';

/** The time limit for the header section of a request; Node checks it every second. */
const HEADERS_TIMEOUT_MS = 20_000;
const CHECK_INTERVAL_MS = 1_000;
/** Longer than the keep-alive of proxies, so that the proxy closes the connection first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Fits the longest list of ids in a query: 1,000 ids of 16 digits, separated by `%2C`. */
const MAX_HEADER_BYTES = 32_768;
/** The time limit of a connection without traffic in either direction. */
const IDLE_TIMEOUT_MS = 120_000;
/** An idle connection takes some kilobytes; connections beyond the limit are closed at once. */
const MAX_CONNECTIONS = 10_000;
/** The limit for one address that is not a trusted proxy; an IPv6 /64 counts as one address. */
const MAX_CLIENT_CONNECTIONS = 2_500;
/** The status for errors of Node's HTTP parser, where it is not 400. */
const PARSER_STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Nest's Express adapter with a faster server, the HTTP pipeline in front and one place that writes responses. */
export class FastExpressAdapter extends ExpressAdapter {
  /** Gets every request first; its responses do not reach Express or Nest. Set before the service listens. */
  pipeline!: HttpPipeline;

  /**
   * Express calls `Object.setPrototypeOf` on every request and response, which disables V8's fast paths
   * (expressjs/express#5998, nodejs/node#37457). A server that creates them with these prototypes makes the call a
   * no-op: measured, Express handles 4 times as many requests a second.
   */
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const ExpressRequest = derive(IncomingMessage, app.request);
    // Express has a getter for it; input.guard.ts sets it.
    Object.defineProperty(ExpressRequest.prototype, 'query', { value: undefined, writable: true });
    const ExpressResponse = derive(ServerResponse, app.response);
    app.request = ExpressRequest.prototype as unknown as Express['request'];
    app.response = ExpressResponse.prototype as unknown as Express['response'];
    const receive = (request: Request, response: Response): void => {
      // A pipelined request waits until the earlier responses are sent. Only then does Node give its response a socket,
      // and it never reports a disconnect before that. If the connection closes first, the request was not handled.
      if (response.socket) this.pipeline.handle(request, response, app);
      else response.once('socket', () => this.pipeline.handle(request, response, app));
    };
    const server: Server = createServer(
      {
        IncomingMessage: ExpressRequest,
        ServerResponse: ExpressResponse,
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: HEADERS_TIMEOUT_MS,
        connectionsCheckingInterval: CHECK_INTERVAL_MS,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        // The body has its own limits while it keeps moving; see request-bodies.ts.
        requestTimeout: 0,
        noDelay: true,
      },
      receive as RequestListener,
    );
    // MAX_HEADER_BYTES limits them. Node would drop the fields after the 2,000th, of which one may be a precondition.
    server.maxHeadersCount = 0;
    server.maxConnections = MAX_CONNECTIONS;
    const connections = new ClientShares(MAX_CONNECTIONS, MAX_CLIENT_CONNECTIONS);
    server.on('connection', (socket: Socket) => {
      const { remoteAddress } = socket;
      const isTrustedProxy = app.get('trust proxy fn') as (
        address: string | undefined,
        hop: number,
      ) => boolean;
      if (isTrustedProxy(remoteAddress, 0)) return;
      const share = connections.open({ client: clientOf(remoteAddress) });
      if (share.resize(1)) socket.once('close', () => share.release());
      else socket.destroy();
    });
    server.setTimeout(IDLE_TIMEOUT_MS, (socket) => {
      // A long import causes no traffic either; then the client is waiting for the service.
      if (this.pipeline.inFlightRequests.isOurTurn(socket)) socket.setTimeout(IDLE_TIMEOUT_MS);
      else socket.destroy();
    });
    // The pipeline decides whether it accepts the body before it sends 100 Continue; see http-pipeline.ts.
    server.on('checkContinue', receive);
    // An unknown expectation may be ignored (RFC 9110 §10.1.1).
    server.on('checkExpectation', receive);
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      const response = this.pipeline.inFlightRequests.responseOn(socket);
      if (response?.req.complete === true) endAfter(response, socket);
      else refuse(error, socket, response);
    });
    this.httpServer = server;
  }

  /** Sends the response of a controller's result. */
  override reply(response: Response, body: unknown, statusCode = response.statusCode): unknown {
    return this.pipeline.reply(response.req, response, body, statusCode);
  }
}

/** Completes a valid request that is followed by bytes that are not HTTP, then closes the connection. */
function endAfter(response: ServerResponse, socket: Socket): void {
  if (!response.shouldKeepAlive) return;
  response.shouldKeepAlive = false;
  // Its header may already be sent without `Connection: close`.
  response.once('close', () => socket.destroySoon());
}

/** Sends what Node itself sends when `clientError` has no listener. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, response: ServerResponse | undefined): void {
  const status = PARSER_STATUSES[error.code ?? ''] ?? 400;
  if (socket.writable && response?.headersSent !== true) {
    // A body that is cut off is no fault of the parser: the client has disconnected.
    if (response && error.code !== 'HPE_INVALID_EOF_STATE') response.statusCode = status;
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
  }
  socket.destroy(error);
}

/**
 * Derives a class from Node's own whose prototype has Express's properties.
 *
 * It must be a class: V8 reserves space for the properties that the constructors of a class and its ancestors assign.
 * Without that space, Node's constructors turn the object into a dictionary, which slows all accesses to it: measured,
 * a response from the cache costs a quarter more.
 */
function derive<Base extends typeof IncomingMessage | typeof ServerResponse>(
  base: Base,
  prototype: object,
): Base {
  const Derived = class extends (base as typeof IncomingMessage) {};
  Object.setPrototypeOf(Derived.prototype, prototype);
  return Derived as unknown as Base;
}
