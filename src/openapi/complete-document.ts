import type { OpenAPIObject } from '@nestjs/swagger';
import { allowedMethods, type Method, type Route } from '../http/route.js';
import type { Settings } from '../settings/settings.js';
import type { Operation, Parameter, PathItem, Response, Responses, Schema } from './document-types.js';
import { QUERY_EXTENSION } from './documented.decorator.js';
import { frontResponses, WRITES } from './front-responses.js';
import { REQUEST_ID } from './request-headers.js';
import { headerReferences, type ResponseHeader } from './response-headers.js';
import type { Schemas } from './shared-components.js';
import { TAGS } from './tags.js';

type DocumentSettings = Pick<Settings, 'apiTokens' | 'corsOrigins' | 'maxBodyBytes' | 'rateLimitPerMinute'>;
type Paths = OpenAPIObject['paths'];

const COMMON_HEADERS: readonly ResponseHeader[] = ['X-Request-Id', 'X-Content-Type-Options'];
const CORS_HEADERS: readonly ResponseHeader[] = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
];
const RATE_LIMIT_HEADERS: readonly ResponseHeader[] = ['RateLimit-Policy', 'RateLimit'];
const PREFLIGHT_HEADERS: readonly ResponseHeader[] = [
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
  'Access-Control-Max-Age',
];

/** The routes that the document tells of: neither the administration site nor what looks after itself, such as files. */
export function documentedRoutes(routes: readonly Route[]): readonly Route[] {
  return routes.filter(({ path, operations }) => operations !== 'any' && !path.startsWith('/admin/'));
}

/**
 * Makes the `paths` of the document from what Nest found at the controllers: the canonical paths with their names,
 * HEAD and OPTIONS, and what stands before the handlers, all from the route table.
 */
export function completePaths(
  scanned: Paths,
  schemas: Schemas,
  routes: readonly Route[],
  settings: DocumentSettings,
): Paths {
  return Object.fromEntries(
    documentedRoutes(routes).map((route) => {
      // Nest strips the slash that closes a path.
      const handlers = scanned[route.path.replace(/(?<=.)\/$/, '')] ?? {};
      return [route.path, new PathCompletion(route, handlers, schemas, settings).complete()];
    }),
  );
}

class PathCompletion {
  readonly #commonHeaders: readonly ResponseHeader[];
  readonly #sharesOrigins: boolean;

  constructor(
    private readonly route: Route,
    private readonly handlers: PathItem,
    private readonly schemas: Schemas,
    private readonly settings: DocumentSettings,
  ) {
    this.#sharesOrigins = settings.corsOrigins.length > 0;
    const isLimited = settings.rateLimitPerMinute !== undefined && !route.isOperational;
    this.#commonHeaders = [
      ...COMMON_HEADERS,
      ...(this.#sharesOrigins ? CORS_HEADERS : []),
      ...(isLimited ? RATE_LIMIT_HEADERS : []),
    ];
  }

  complete(): PathItem {
    const operations = allowedMethods(this.route).map((method) => [
      method.toLowerCase(),
      this.#operation(method),
    ]);
    return {
      'x-route-name': this.route.name,
      parameters: [REQUEST_ID],
      ...Object.fromEntries(operations.filter(([, operation]) => operation !== undefined)),
    } as PathItem;
  }

  #operation(method: Method): Operation | undefined {
    if (method === 'HEAD') return this.#head();
    if (method === 'OPTIONS') return this.#options();
    const handler = this.handlers[method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'];
    return handler && this.#handled(method, handler);
  }

  #handled(method: Method, handler: Operation): Operation {
    const { tags, summary, description, operationId, parameters = [], requestBody } = handler;
    const inPlace = (place: Parameter['in']) =>
      (parameters as Parameter[]).filter((each) => each.in === place);
    const isGuarded = this.route.writesNeedToken && WRITES.includes(method);
    return {
      tags,
      summary,
      ...(description === undefined ? {} : { description }),
      operationId,
      ...(isGuarded ? { security: this.#security() } : {}),
      parameters: [...inPlace('path'), ...this.#queryParameters(handler), ...inPlace('header')],
      ...(requestBody ? { requestBody } : {}),
      responses: this.#responses(method, handler.responses),
    };
  }

  #head(): Operation | undefined {
    const { get } = this.handlers;
    if (!get) return undefined;
    const { responses, ...operation } = this.#handled('HEAD', get);
    return {
      ...operation,
      tags: [TAGS.headAndOptions],
      summary: `${get.summary}, without the body`,
      operationId: this.#idFor('head'),
      description: 'Answers as GET does, with the same header fields and no body.',
      responses: mapResponses(responses, ({ content: _content, ...response }) => response),
    };
  }

  #options(): Operation {
    const preflight = this.#sharesOrigins ? PREFLIGHT_HEADERS : [];
    return {
      tags: [TAGS.headAndOptions],
      summary: `The methods of ${this.route.path}`,
      operationId: this.#idFor('options'),
      responses: this.#responses('OPTIONS', {
        204: { description: '`Allow` names them.', headers: headerReferences(['Allow', ...preflight]) },
      }),
    };
  }

  /** With API_TOKENS set a token is a must, without it nobody is asked for one. */
  #security(): Operation['security'] {
    return this.settings.apiTokens.length > 0 ? [{ bearer: [] }] : [{}, { bearer: [] }];
  }

  #responses(method: Method, documented: Responses): Responses {
    const front = frontResponses(this.route, method, this.settings);
    return mapResponses({ ...front, ...documented }, (response) => ({
      ...response,
      headers: { ...response.headers, ...headerReferences(this.#commonHeaders) },
    }));
  }

  #queryParameters(handler: Operation): Parameter[] {
    const reference: unknown = Reflect.get(handler, QUERY_EXTENSION);
    if (typeof reference !== 'string') return [];
    const { properties = {} } = this.schemas[reference.replace(/^.*\//, '')] ?? {};
    return Object.entries(properties as Record<string, Schema>).map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      ...(description === undefined ? {} : { description }),
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
      schema,
    }));
  }

  /** `listPosts` becomes `headPosts`. */
  #idFor(method: 'head' | 'options'): string {
    return (this.handlers.get?.operationId ?? this.route.name).replace(/^[a-z]+/, method);
  }
}

function mapResponses(responses: Responses, change: (response: Response) => Response): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, change(response as Response)]),
  );
}
