import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../../src/bootstrap/create-app.js';
import { InFlightRequests } from '../../src/http/server/in-flight-requests.js';
import { createLogger } from '../../src/logging/logger.js';
import { OpenApiService } from '../../src/openapi/openapi.service.js';
import { type Environment, readSettings, type Settings } from '../../src/settings/settings.js';
import { assertFollowsRules, type SentRequest } from './response-rules.js';
import { DATABASE_LIMITS, freshDatabase, type FreshDatabase, freshPostgresDatabase } from './database.js';
import type { HttpResponse, RequestOptions } from './http-client.js';
import { OpenApiDocument } from './openapi.js';
import { PostsClient } from './posts-client.js';
import { until } from './until.js';

/** What native-environment.js prints when a test fails. */
const printed = globalThis as { loggedErrors?: LogRecord[]; refusals?: (() => string)[] };

/** One line of the service's log. */
export type LogRecord = Readonly<Record<string, unknown>> & { readonly level: string; readonly msg: string };

/** The real service in this process, with its own port and database. */
export class Service extends PostsClient {
  override readonly basePath: string;

  constructor(
    readonly app: NestExpressApplication,
    readonly port: number,
    /** The base of all links. */
    readonly baseUrl: string,
    /** Undefined when the test has named a database in DATABASE_URL. */
    private readonly ownDatabase: FreshDatabase | undefined,
    /** Everything logged so far. */
    readonly log: LogRecord[],
    private readonly settings: Settings,
  ) {
    super();
    this.basePath = settings.basePath;
  }

  /** The database that was made for the service. */
  get database(): FreshDatabase {
    if (!this.ownDatabase) throw new Error('The test has named the database of the service in DATABASE_URL.');
    return this.ownDatabase;
  }

  /** The scheme, address and port at which the service listens. */
  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /**
   * Sends a request unchanged. Checks the response against the rules for every response and against the OpenAPI
   * document, then returns it.
   *
   * @param target the path and query, or one of the service's own links
   */
  override async request(
    method: string,
    target: string,
    options: RequestOptions = {},
  ): Promise<HttpResponse> {
    const path = target.startsWith(`${this.baseUrl}/`)
      ? this.basePath + target.slice(this.baseUrl.length)
      : target;
    const response = await super.request(method, path, options);
    if (response.status >= 400)
      printed.refusals?.push(() => `${method} ${path} was answered ${this.#describe(response)}`);
    this.#check({ method, target: path, headers: options.headers ?? {} }, response);
    return response;
  }

  /** Waits until this many requests are in flight. */
  untilInFlight(requests: number): Promise<void> {
    const inFlight = this.app.get(InFlightRequests);
    return until(() => inFlight.count === requests);
  }

  /** Call this only to test the stop. A service that still runs at the end of the file is stopped then. */
  async stop(): Promise<void> {
    running.delete(this);
    this.agent.destroy();
    // A client that stops reading would block `close()`. On a signal, the service itself ends such connections
    // (start.ts).
    this.app.getHttpServer().closeAllConnections();
    await this.app.close();
    await this.ownDatabase?.remove();
  }

  /** The status and the problem, and what the service has logged about the request. */
  #describe({ status, headers, text }: HttpResponse): string {
    const ofRequest = this.log.filter((record) => record['request_id'] === headers['x-request-id']);
    return [`${status} ${text}`, ...ofRequest.map((record) => `  logged: ${JSON.stringify(record)}`)].join(
      '\n',
    );
  }

  #publicPathOf({ target }: SentRequest): string {
    const path = target.replace(/\?.*/s, '');
    if (!`${path}/`.startsWith(`${this.basePath}/`)) return path;
    return new URL(this.baseUrl).pathname.replace(/\/$/, '') + path.slice(this.basePath.length);
  }

  /** Every exchange passes through this method. */
  #check(sent: SentRequest, response: HttpResponse): void {
    const forwarded = Object.keys(sent.headers).some((name) => /^(?:host|x-forwarded-\w+)$/i.test(name));
    assertFollowsRules(sent, response, forwarded ? undefined : this.baseUrl, this.#publicPathOf(sent));
    // The administration has no document: the site takes the types of its DTOs.
    if (sent.target.startsWith(`${this.basePath}/admin/api/`)) return;
    const { publicUrl, maxBodyBytes } = this.settings;
    const document = OpenApiDocument.shared([publicUrl, maxBodyBytes], this.basePath, () =>
      JSON.stringify(this.app.get(OpenApiService, { strict: false }).full()),
    );
    document.assertDocumented(sent, response);
  }
}

const running = new Set<Service>();

// Runs for the test file that imports this one.
afterAll(() => Promise.all([...running].map((service) => service.stop())));

/** Every start and every log-in hashes a password. This is less than the settings allow, to save time. */
const PASSWORD_HASH_MEMORY = 1_048_576;

/** Starts the service with settings from the environment, on any free port, and without a DATABASE_URL on a fresh database. */
export async function startService(environment: Environment = {}): Promise<Service> {
  const { DATABASE_URL } = environment;
  const database = DATABASE_URL === undefined ? await freshDatabase() : undefined;
  const variables = { ...DATABASE_LIMITS, DATABASE_URL: database?.url, PORT: '0', ...environment };
  const settings = {
    ...readSettings(variables, { isTerminal: false }),
    passwordHashMemory: PASSWORD_HASH_MEMORY,
  };
  const log: LogRecord[] = [];
  const write = (line: string): void => {
    const record = JSON.parse(line) as LogRecord;
    log.push(record);
    if (record.level === 'error') printed.loggedErrors?.push(record);
  };
  const logger = createLogger(settings, { write });
  const app = await createApp(settings, logger);
  await app.listen(0, settings.host);
  const { port } = app.getHttpServer().address() as { port: number };
  const baseUrl = settings.publicUrl ?? `http://127.0.0.1:${port}${settings.basePath}`;
  const service = new Service(app, port, baseUrl, database, log, settings);
  running.add(service);
  return service;
}

/**
 * Three services, started at the same time on one empty PostgreSQL database. They are stopped, and the database is
 * removed, at the end of the file.
 */
export async function startInstances() {
  const database = await freshPostgresDatabase();
  afterAll(() => database.remove());
  const start = () => startService({ DATABASE_URL: database.url, PUBLIC_URL: 'http://posts.test' });
  const instances: readonly [Service, Service, Service] = await Promise.all([start(), start(), start()]);
  return { database, instances };
}
