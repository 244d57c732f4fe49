import { Reflector } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ClientQuota } from '../../limits/index.js';
import type { Turns } from '../../turns/index.js';
import { REQUEST_TIMEOUT_MS } from '../bodies/body-quotas.js';
import { clientOf, isTrustedProxy } from '../client/client-address.js';
import type { InFlightRequests } from './in-flight-requests.js';
import { PipelinedRequests } from './pipelined-requests.js';
import { Declaration } from '../routes/operation.js';
import type { ResponseWriter } from '../response/response-writer.js';

/** The time limit for the header section of a request; Node checks it every second. */
const HEADERS_TIMEOUT_MS = 20_000;
const CHECK_INTERVAL_MS = 1_000;
/** Longer than the keep-alive of proxies, so that the proxy closes the connection first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** The longest pause of a client that sends a request or reads a response. */
const IDLE_TIMEOUT_MS = 30_000;
/**
 * An idle connection takes some kilobytes. Connections beyond the limit are closed at once, also those beyond a quarter
 * of it from one address that is not a trusted proxy; an IPv6 /64 counts as one address.
 */
const MAX_CONNECTIONS = 10_000;

/** Nest's Express adapter with a faster server and one place that writes responses. */
export class FastExpressAdapter extends ExpressAdapter {
  #writer!: ResponseWriter;
  #inFlightRequests!: InFlightRequests;
  #turns!: Turns;

  /** HttpModule calls it before the service listens: Nest makes the adapter before it makes the providers. */
  respondWith(writer: ResponseWriter, inFlightRequests: InFlightRequests, turns: Turns): void {
    this.#writer = writer;
    this.#inFlightRequests = inFlightRequests;
    this.#turns = turns;
  }

  constructor() {
    const app = express();
    // Before Nest adds a route. The route table compares paths as they are, too.
    app.enable('case sensitive routing');
    super(app);
  }

  /**
   * Express calls `Object.setPrototypeOf` on every request and response, which disables V8's fast paths
   * (expressjs/express#5998, nodejs/node#37457). A server that creates them with these prototypes makes the call a
   * no-op: measured, Express handles 4 times as many requests a second. They must be classes: V8 reserves space for the
   * properties that the constructors of a class and its ancestors assign. Without it, Node's constructors turn the object
   * into a dictionary: measured, a response from the cache costs a quarter more.
   */
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const setFirstFields = (response: ServerResponse): void =>
      this.#writer.setFirstFields(response as Response);
    class FastRequest extends IncomingMessage {}
    class FastResponse extends ServerResponse {
      /** All responses end here but those of sendPrebuilt(), whatever part of Nest or Express sends them. */
      override writeHead(...head: [number, ...unknown[]]): this {
        setFirstFields(this);
        return super.writeHead(...(head as [number]));
      }
    }
    parseQueryOnce(FastRequest.prototype, app.request);
    stopParsingClosed(FastRequest.prototype);
    leaveUnread(FastRequest.prototype);
    Object.setPrototypeOf(FastRequest.prototype, app.request);
    Object.setPrototypeOf(FastResponse.prototype, app.response);
    app.request = FastRequest.prototype as unknown as Express['request'];
    app.response = FastResponse.prototype as unknown as Express['response'];
    const pipelined = new PipelinedRequests();
    const begin = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
      const [request, response] = [incoming as Request, outgoing as Response];
      takeAbsoluteForm(request);
      if (asksForUpgrade(request)) response.shouldKeepAlive = false;
      if (response.socket) app(request, response);
      else pipelined.wait(request, response, () => app(request, response));
    };
    const server: Server = createServer(
      {
        IncomingMessage: FastRequest,
        ServerResponse: FastResponse,
        headersTimeout: HEADERS_TIMEOUT_MS,
        connectionsCheckingInterval: CHECK_INTERVAL_MS,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
      },
      begin,
    );
    // Their bytes are limited. Node would drop the fields after the 2,000th, of which one may be a precondition.
    server.maxHeadersCount = 0;
    server.maxConnections = MAX_CONNECTIONS;
    const connections = new ClientQuota(MAX_CONNECTIONS);
    // Node closes a connection beyond the limit at once, but it takes a turn of the event loop, too.
    server.on('drop', () => this.#turns.noteConnection());
    server.on('connection', (socket: Socket) => {
      this.#turns.noteConnection();
      const { remoteAddress } = socket;
      if (isTrustedProxy(app, remoteAddress)) return;
      const client = clientOf(remoteAddress);
      if (connections.take(client)) socket.once('close', () => connections.give(client));
      else socket.destroy();
    });
    server.setTimeout(IDLE_TIMEOUT_MS, (socket) => {
      this.#inFlightRequests.endIdle(socket);
      // A long query causes no traffic either; then the client waits for the service.
      socket.setTimeout(IDLE_TIMEOUT_MS);
    });
    // Whether the body is accepted is decided before 100 Continue is sent; see body.guard.ts.
    server.on('checkContinue', begin);
    // An unknown expectation may be ignored (RFC 9110 §10.1.1).
    server.on('checkExpectation', begin);
    this.httpServer = server;
  }

  override get(...route: unknown[]): unknown {
    return super.get(...whereItIsMeant(route));
  }

  override post(...route: unknown[]): unknown {
    return super.post(...whereItIsMeant(route));
  }

  override put(...route: unknown[]): unknown {
    return super.put(...whereItIsMeant(route));
  }

  /** Sends what a handler returned, through our writer or else as Nest does. */
  override reply(response: Response, returned: unknown, statusCode = response.statusCode): unknown {
    return (
      this.#writer.reply(response.req, response, returned, statusCode) ??
      super.reply(response, returned, statusCode)
    );
  }
}

/** The target of a request to a proxy, whose authority replaces the `Host` (RFC 9112 §3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/is;
/** In place of an empty authority, with which a URL is invalid (RFC 9110 §4.2.1); as a `Host`, it is malformed. */
const NO_AUTHORITY = '//';

function takeAbsoluteForm(request: Request): void {
  if (request.url.startsWith('/')) return;
  const [, authority, rest] = ABSOLUTE_FORM.exec(request.url) ?? [];
  if (authority === undefined) return;
  request.headers.host = authority === '' ? NO_AUTHORITY : authority;
  request.url = rest!.startsWith('/') ? rest! : `/${rest}`;
}

type Handler = (request: Request, response: Response, next?: Function) => unknown;
type Registration = [path: string, handler: Handler];

/**
 * Several handlers may have the same method and path: Express tries one after another, and each but that of the request's
 * operation passes it on. Nest copies the metadata of a handler to the function that it registers.
 */
function whereItIsMeant(route: unknown[]): Registration {
  const [path, handle] = route as Registration;
  const declaration = typeof handle === 'function' ? new Reflector().get(Declaration, handle) : undefined;
  if (!declaration) return route as Registration;
  const handler: Handler = (request, response, next) =>
    request.context.operation?.declaration === declaration ? handle(request, response, next) : next?.();
  return [path, handler];
}

/**
 * An upgrade is never made. Node drops what has arrived behind such a request, so the connection is closed after the response:
 * the client sends again what was not answered (RFC 9112 §9.3.1).
 */
function asksForUpgrade({ headers }: Request): boolean {
  return headers.upgrade !== undefined;
}

/**
 * Node parses what it has read of a connection to its end, even if the connection is closed in between: 2,500 small requests,
 * which take 25 ms, and more with each connection. A request that is upgraded ends the parsing, because what follows is
 * another protocol. So does each request on a closed connection.
 */
function stopParsingClosed(prototype: object): void {
  Object.defineProperty(prototype, 'upgrade', {
    get(this: Upgradable) {
      return this.isUpgraded === true || this.socket?.destroyed === true;
    },
    set(this: Upgradable, isUpgraded: boolean | null) {
      this.isUpgraded = isUpgraded;
    },
    configurable: true,
  });
}

interface Upgradable {
  /** Node removes it in some failures. */
  readonly socket: Socket | null;
  isUpgraded: boolean | null;
}

/**
 * When a response is complete, Node reads and drops the rest of a body that was not read, as fast as it arrives. DiscardedBodies
 * does it at the pace of the client's turns, but for requests of middleware of `app.use()`, which it does not know.
 */
function leaveUnread(prototype: object): void {
  const dump = Reflect.get(IncomingMessage.prototype, '_dump') as (this: object) => void;
  const value = function (this: Request): void {
    if (this.complete || !('context' in this)) dump.call(this);
  };
  Object.defineProperty(prototype, '_dump', { value, configurable: true });
}

/** Express parses the query at each access. It still does so for middleware of `app.use()`, before there is a context. */
function parseQueryOnce(prototype: object, expressRequest: object): void {
  const get = function (this: Request): unknown {
    return 'context' in this ? this.context.queryTexts : Reflect.get(expressRequest, 'query', this);
  };
  Object.defineProperty(prototype, 'query', { get, configurable: true });
}
