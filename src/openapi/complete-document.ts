import type { OpenAPIObject } from '@nestjs/swagger';
import { PROBLEM_TYPE } from '../http/media-types.js';
import {
  allowedMethods,
  type Method,
  type Operation as RouteOperation,
  operationOf,
  type Route,
  WRITES,
} from '../http/route.js';
import { strictTransport } from '../http/security-fields.js';
import type { Settings } from '../settings/settings.js';
import {
  COMPONENT_NAME,
  type Operation,
  type Parameter,
  type PathItem,
  type RequestBody,
  type Response,
  type Responses,
  type Schema,
} from './document-types.js';
import { QUERY_EXTENSION } from './documented.decorator.js';
import { frontResponses, type LimitSettings } from './front-responses.js';
import { REQUEST_ID } from './request-headers.js';
import { headerReferences, type ResponseHeader } from './response-headers.js';
import type { Schemas } from './shared-components.js';
import { TAGS } from './tags.js';

type DocumentSettings = LimitSettings & Pick<Settings, 'apiTokens' | 'corsOrigins' | 'publicUrl'>;
type Paths = OpenAPIObject['paths'];

const COMMON_HEADERS: readonly ResponseHeader[] = [
  'X-Request-Id',
  'X-Content-Type-Options',
  'Content-Security-Policy',
  'X-Frame-Options',
  'Referrer-Policy',
  'Cross-Origin-Resource-Policy',
];
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

/**
 * Makes the `paths` of the document from what Nest found at the controllers: the canonical paths with their names,
 * HEAD and OPTIONS, and what stands before the handlers, all from the route table.
 *
 * @param routes those that the document tells of
 */
export function completePaths(
  scanned: Paths,
  schemas: Schemas,
  routes: readonly Route[],
  settings: DocumentSettings,
): Paths {
  return Object.fromEntries(
    routes.map((route) => {
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
      ...(strictTransport(settings) === undefined ? [] : (['Strict-Transport-Security'] as const)),
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
    const { tags, summary, description, operationId, requestBody } = handler;
    const operation = operationOf(this.route, method);
    return {
      tags,
      summary,
      ...(description === undefined ? {} : { description }),
      operationId,
      ...this.#security(method),
      parameters: [
        ...parametersIn('path', handler),
        ...this.#queryParameters(handler),
        ...parametersIn('header', handler),
        REQUEST_ID,
      ],
      ...(requestBody && operation?.consumes
        ? { requestBody: only(operation.consumes, requestBody as RequestBody) }
        : {}),
      responses: this.#responses(method, this.#representations(handler.responses, operation)),
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
      responses: mapResponses(responses, withoutBody),
    };
  }

  #options(): Operation {
    const preflight = this.#sharesOrigins ? PREFLIGHT_HEADERS : [];
    return {
      tags: [TAGS.headAndOptions],
      summary: `The methods of ${this.route.path}`,
      description:
        'Browsers ask so before they send what a page of another origin may not send unasked (CORS).',
      operationId: this.#idFor('options'),
      parameters: [...parametersIn('path', this.handlers.get), REQUEST_ID],
      responses: this.#responses('OPTIONS', {
        204: {
          [COMPONENT_NAME]: 'Methods',
          description: '`Allow` names them.',
          headers: headerReferences(['Allow', ...preflight]),
        } as Response,
      }),
    };
  }

  /** The administration asks for a session. With API_TOKENS set a token is a must, without it nobody is asked for one. */
  #security(method: Method): Pick<Operation, 'security'> {
    if (this.route.needsSession) return { security: [{ session: [] }] };
    if (!this.route.writesNeedToken || !WRITES.has(method)) return {};
    return { security: this.settings.apiTokens.length > 0 ? [{ bearer: [] }] : [{}, { bearer: [] }] };
  }

  #responses(method: Method, documented: Responses): Responses {
    const front = frontResponses(this.route, method, this.settings);
    return mapResponses(joined(front, documented as Record<string, Response>), (response) => ({
      ...response,
      headers: { ...response.headers, ...headerReferences(this.#commonHeaders) },
    }));
  }

  /** The successes, in those media types that the route produces. */
  #representations(responses: Responses, operation: RouteOperation | undefined): Responses {
    const produced = (operation?.produces ?? []).map(({ mediaType }) => mediaType);
    return Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        status.startsWith('2') && response && 'content' in response ? only(produced, response) : response,
      ]),
    );
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

function parametersIn(place: Parameter['in'], handler: Operation | undefined): Parameter[] {
  return ((handler?.parameters ?? []) as Parameter[]).filter((each) => each.in === place);
}

/** Where both know answers of a status, the handler's words are the better ones, and the examples of both hold. */
function joined(
  front: Readonly<Record<string, Response>>,
  documented: Readonly<Record<string, Response>>,
): Responses {
  const both = Object.entries(documented).map(([status, response]): [string, Response] => {
    const before = front[status]?.content?.[PROBLEM_TYPE];
    const problem = response.content?.[PROBLEM_TYPE];
    if (!before || !problem) return [status, response];
    const examples = { ...problem.examples, ...before.examples };
    const headers = { ...front[status]?.headers, ...response.headers };
    return [status, { ...response, headers, content: { [PROBLEM_TYPE]: { ...problem, examples } } }];
  });
  return { ...front, ...Object.fromEntries(both) };
}

/** What the handler's docs say of those media types that the route table knows. */
function only<Part extends RequestBody | Response>(mediaTypes: readonly string[], part: Part): Part {
  const content = Object.entries(part.content ?? {}).filter(([mediaType]) => mediaTypes.includes(mediaType));
  return { ...part, content: Object.fromEntries(content) };
}

function withoutBody({ content, [COMPONENT_NAME]: name, ...response }: Response): Response {
  if (name === undefined) return response;
  return { [COMPONENT_NAME]: content ? `${name}WithoutBody` : name, ...response };
}

function mapResponses(responses: Responses, change: (response: Response) => Response): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, change(response as Response)]),
  );
}
