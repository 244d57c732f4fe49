import type { NestExpressApplication } from '@nestjs/platform-express';
import { Agent } from 'node:http';
import { createApp } from '../../src/bootstrap/create-app.js';
import { InFlightRequests } from '../../src/http/request/in-flight-requests.js';
import { createLogger } from '../../src/logging/logger.js';
import { OpenApiService } from '../../src/openapi/openapi.service.js';
import { type Environment, readSettings, type Settings } from '../../src/settings/settings.js';
import { assertFollowsRules } from './response-rules.js';
import { DATABASE_LIMITS, freshDatabase, type FreshDatabase, freshPostgresDatabase } from './database.js';
import { type HttpResponse, exchange, type RequestOptions, type SentRequest } from './http-client.js';
import { OpenApiDocument } from './openapi.js';
import { aPost, type PostJson } from './posts.js';
import { until } from './until.js';

/** What native-environment.js prints when a test fails. */
declare const loggedErrors: LogRecord[] | undefined;

/** One line of the service's log. */
export type LogRecord = Readonly<Record<string, unknown>> & { readonly level: string; readonly msg: string };

/** The real service in this process, with its own port and database. */
export class Service {
  readonly #agent = new Agent({ keepAlive: true });
  constructor(
    readonly app: NestExpressApplication,
    readonly port: number,
    /** The base of all links. */
    readonly baseUrl: string,
    readonly database: FreshDatabase,
    /** Everything logged so far. */
    readonly log: LogRecord[],
    private readonly settings: Settings,
  ) {}

  /** The scheme, address and port at which the service listens. */
  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /**
   * Sends a request unchanged. Checks the response against the rules for every response and against the OpenAPI
   * document, then returns it.
   *
   * @param target the path and query without prefix, or one of the service's own links
   */
  async request(method: string, target: string, options: RequestOptions = {}): Promise<HttpResponse> {
    const { headers, body } = encodeBody(options);
    const sent: SentRequest = { method, target: this.#targetOf(target), headers };
    const response = await exchange(this.port, sent, { body, chunks: options.chunks }, this.#agent);
    this.#check(sent, response);
    return response;
  }

  get(target: string, headers: RequestOptions['headers'] = {}): Promise<HttpResponse> {
    return this.request('GET', target, { headers });
  }

  post(json: unknown, headers: RequestOptions['headers'] = {}): Promise<HttpResponse> {
    return this.request('POST', '/posts/', { json, headers });
  }

  /** Imports lines of NDJSON. */
  import(lines: string | Buffer, headers: RequestOptions['headers'] = {}): Promise<HttpResponse> {
    const type = { 'Content-Type': 'application/x-ndjson' };
    return this.request('POST', '/posts/', { headers: { ...type, ...headers }, body: lines });
  }

  put(target: string, json: unknown, headers: RequestOptions['headers'] = {}): Promise<HttpResponse> {
    return this.request('PUT', target, { json, headers });
  }

  delete(target: string, headers: RequestOptions['headers'] = {}): Promise<HttpResponse> {
    return this.request('DELETE', target, { headers });
  }

  /** Creates a post. The test states only the fields that matter. */
  async create(overrides: Partial<PostJson> = {}): Promise<PostJson & { path: string; etag: string }> {
    const response = await this.post(aPost(overrides));
    expect(response.status).toBe(201);
    const post = response.json<PostJson>();
    return Object.defineProperties(post as PostJson & { path: string; etag: string }, {
      path: { value: `/posts/${post.id}/` },
      etag: { value: response.etag },
    });
  }

  /** The number of stored posts. */
  async count(): Promise<number> {
    const { headers } = await this.get('/posts/?limit=1', { Prefer: 'count=exact' });
    return Number(headers['x-total-count']);
  }

  /** Creates posts one after another, so that their ids ascend. */
  async createAll(overrides: readonly Partial<PostJson>[]): Promise<PostJson[]> {
    const posts: PostJson[] = [];
    for (const each of overrides) posts.push(await this.create(each));
    return posts;
  }

  /** Waits until this many requests are in flight. */
  untilInFlight(requests: number): Promise<void> {
    const inFlight = this.app.get(InFlightRequests);
    return until(() => inFlight.count === requests);
  }

  /** Call this only to test the stop. A service that still runs at the end of the file is stopped then. */
  async stop(): Promise<void> {
    running.delete(this);
    this.#agent.destroy();
    // A client that stops reading would block `close()`. On a signal, the service itself ends such connections
    // (start.ts).
    this.app.getHttpServer().closeAllConnections();
    await this.app.close();
    await this.database.remove();
  }

  #targetOf(target: string): string {
    return target.startsWith(`${this.baseUrl}/`)
      ? this.settings.basePath + target.slice(this.baseUrl.length)
      : target;
  }

  #publicPathOf({ target }: SentRequest): string {
    const path = target.replace(/\?.*/s, '');
    if (!`${path}/`.startsWith(`${this.settings.basePath}/`)) return path;
    return new URL(this.baseUrl).pathname.replace(/\/$/, '') + path.slice(this.settings.basePath.length);
  }

  /** Every exchange passes through this method. */
  #check(sent: SentRequest, response: HttpResponse): void {
    const forwarded = Object.keys(sent.headers).some((name) => /^(?:host|x-forwarded-\w+)$/i.test(name));
    assertFollowsRules(sent, response, forwarded ? undefined : this.baseUrl, this.#publicPathOf(sent));
    // The administration has no document: the site takes the types of its DTOs.
    if (sent.target.startsWith(`${this.settings.basePath}/admin/api/`)) return;
    const { publicUrl, maxBodyBytes } = this.settings;
    const document = OpenApiDocument.shared([publicUrl, maxBodyBytes], this.settings.basePath, () =>
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

/** Starts the service with settings from the environment, on a fresh database and any free port. */
export async function startService(environment: Environment = {}): Promise<Service> {
  const database = await freshDatabase();
  const variables = { ...DATABASE_LIMITS, DATABASE_URL: database.url, PORT: '0', ...environment };
  const settings = {
    ...readSettings(variables, { isTerminal: false }),
    passwordHashMemory: PASSWORD_HASH_MEMORY,
  };
  const log: LogRecord[] = [];
  const write = (line: string): void => {
    const record = JSON.parse(line) as LogRecord;
    log.push(record);
    if (record.level === 'error') loggedErrors?.push(record);
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

function encodeBody({ headers = {}, body, json, form }: RequestOptions) {
  const encoded = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json);
  if (encoded === undefined) return { headers, body };
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  return { headers: { 'Content-Type': type, ...headers }, body: encoded };
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
