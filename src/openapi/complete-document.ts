import type { OpenAPIObject } from '@nestjs/swagger';
import {
  accessRuleOf,
  allowedMethods,
  type Method,
  operationOf,
  type Route,
  type RouteOperation,
} from '../http/pipeline/route-table.js';
import { PROBLEM_TYPE } from '../http/protocol/media-type.js';
import type { InputClass } from '../http/request/input-rules.js';
import {
  COMPONENT_NAME,
  type Operation,
  type Parameter,
  type PathItem,
  type Response,
  type Responses,
  type Schema,
} from './document-types.js';
import { headerReferences, REQUEST_ID, type ResponseHeader } from './header-fields.js';
import { describeOperation } from './operation-docs.js';
import { pipelineResponses } from './pipeline-responses.js';
import type { ExampleUrlOf } from './problem-response.js';
import { mapValues } from './map-values.js';
import type { Schemas } from './shared-components.js';

type Paths = OpenAPIObject['paths'];

const COMMON_HEADERS: readonly ResponseHeader[] = [
  'X-Request-Id',
  'X-Content-Type-Options',
  'Content-Security-Policy',
  'X-Frame-Options',
  'Referrer-Policy',
  'Cross-Origin-Resource-Policy',
  'Strict-Transport-Security',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
];
const RATE_LIMIT_HEADERS: readonly ResponseHeader[] = ['RateLimit-Policy', 'RateLimit'];
const PREFLIGHT_HEADERS: readonly ResponseHeader[] = [
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
  'Access-Control-Max-Age',
];

/** What the paths contain besides the declarations of the routes. */
export interface DocumentSource {
  readonly schemas: Schemas;
  readonly maxBodyBytes: number;
  tagsOf(operationId: string): string[];
  /** The URL of a named route in an example. */
  urlOf: ExampleUrlOf;
}

/**
 * Generates the `paths` of the document from the declared routes: the canonical paths with their names, HEAD and
 * OPTIONS, and the responses of the pipeline. Statuses and header fields are declared independently of the
 * configuration.
 *
 * @param routes the documented routes
 */
export function completePaths(routes: readonly Route[], source: DocumentSource): Paths {
  return Object.fromEntries(
    routes.map((route) => [route.path, new PathCompletion(route, source).complete()]),
  );
}

class PathCompletion {
  readonly #commonHeaders: readonly ResponseHeader[];

  constructor(
    private readonly route: Route,
    private readonly source: DocumentSource,
  ) {
    this.#commonHeaders = route.isOperational ? COMMON_HEADERS : [...COMMON_HEADERS, ...RATE_LIMIT_HEADERS];
  }

  complete(): PathItem {
    const operations = allowedMethods(this.route).map((method) => [
      method.toLowerCase(),
      this.#operation(method),
    ]);
    return { 'x-route-name': this.route.name, ...Object.fromEntries(operations) } as PathItem;
  }

  #operation(method: Method): Operation {
    if (method === 'OPTIONS') return this.#options();
    const operation = operationOf(this.route, method)!;
    return method === 'HEAD' ? this.#head(operation) : this.#handled(method, operation);
  }

  #handled(method: Method, operation: RouteOperation): Operation {
    const { id, declaration, input } = operation;
    const { parameters, responses, requestBody, ...texts } = describeOperation(
      declaration,
      this.source.urlOf,
    );
    return {
      tags: this.source.tagsOf(id),
      ...texts,
      operationId: id,
      ...securityOf(operation),
      parameters: [
        ...this.#parametersOf(this.route.parameters, 'path'),
        ...this.#parametersOf(input.query, 'query'),
        ...parameters,
        REQUEST_ID,
      ],
      ...(requestBody ? { requestBody } : {}),
      responses: this.#responses(method, responses),
    };
  }

  #head(get: RouteOperation): Operation {
    const { responses, ...operation } = this.#handled('HEAD', get);
    return {
      ...operation,
      tags: ['head-and-options'],
      summary: `${get.declaration.summary}, without the body`,
      operationId: this.#idFor('head'),
      description: 'Responds as GET does, with the same header fields and no body.',
      responses: mapValues(responses as Record<string, Response>, withoutBody),
    };
  }

  #options(): Operation {
    const isPostedTo = this.route.operations.POST?.consumes !== undefined;
    return {
      tags: ['head-and-options'],
      summary: `The methods of ${this.route.path}`,
      description:
        'Browsers send this request before some requests from pages of another origin (CORS preflight).',
      operationId: this.#idFor('options'),
      parameters: [...this.#parametersOf(this.route.parameters, 'path'), REQUEST_ID],
      responses: this.#responses('OPTIONS', {
        204: {
          [COMPONENT_NAME]: isPostedTo ? 'MethodsAndMediaTypes' : 'Methods',
          description: isPostedTo
            ? '`Allow` names them, and `Accept-Post` the media types that POST takes.'
            : '`Allow` names them.',
          headers: headerReferences([
            'Allow',
            ...(isPostedTo ? (['Accept-Post'] as const) : []),
            ...PREFLIGHT_HEADERS,
          ]),
        } as Response,
      }),
    };
  }

  #responses(method: Method, documented: Responses): Responses {
    const pipeline = pipelineResponses(this.route, method, this.source);
    return mapValues(joined(pipeline, documented as Record<string, Response>), (response) => ({
      ...response,
      headers: { ...response.headers, ...headerReferences(this.#commonHeaders) },
    }));
  }

  /** Each property of the class is a parameter. */
  #parametersOf(inputClass: InputClass | undefined, place: 'path' | 'query'): Parameter[] {
    const { properties = {} } = (inputClass && this.source.schemas[inputClass.name]) ?? {};
    return Object.entries(properties as Record<string, Schema>).map(([name, { description, ...schema }]) => ({
      name,
      in: place,
      ...(place === 'path' ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
      schema,
    }));
  }

  /** `listPosts` becomes `headPosts`. */
  #idFor(method: 'head' | 'options'): string {
    return (this.route.operations.GET?.id ?? this.route.name).replace(/^[a-z]+/, method);
  }
}

/** Operations of the administration require a session. A write requires a token if API_TOKENS is set. */
function securityOf(operation: RouteOperation): Pick<Operation, 'security'> {
  const { needs } = accessRuleOf(operation);
  if (needs === 'nothing') return {};
  return { security: needs === 'session' ? [{ session: [] }] : [{}, { bearer: [] }] };
}

/** When both have a response of a status, the handler's description is used, with the examples of both. */
function joined(
  pipeline: Readonly<Record<string, Response>>,
  documented: Readonly<Record<string, Response>>,
): Record<string, Response> {
  const both = Object.entries(documented).map(([status, response]): [string, Response] => {
    const before = pipeline[status]?.content?.[PROBLEM_TYPE];
    const problem = response.content?.[PROBLEM_TYPE];
    if (!before || !problem) return [status, response];
    const examples = { ...problem.examples, ...before.examples };
    const headers = { ...pipeline[status]?.headers, ...response.headers };
    return [status, { ...response, headers, content: { [PROBLEM_TYPE]: { ...problem, examples } } }];
  });
  return { ...pipeline, ...Object.fromEntries(both) };
}

function withoutBody({ content, [COMPONENT_NAME]: name, ...response }: Response): Response {
  if (name === undefined) return response;
  return { [COMPONENT_NAME]: content ? `${name}WithoutBody` : name, ...response };
}

/** The two documents: the public API, and the additional API of the administration site. */
export type DocumentName = 'public' | 'admin';

const ADMIN = '/admin/';
const ADMIN_API = '/admin/api/';

/** The routes of a document, without the pages of the administration site and without files. */
export function documentedRoutes(
  routes: readonly Route[],
  document: DocumentName = 'public',
): readonly Route[] {
  return routes.filter((route) => documentOf(route) === document);
}

function documentOf({ path, operations }: Route): DocumentName | undefined {
  if (path.endsWith('*')) return undefined;
  if (!Object.values(operations).some(({ declaration }) => declaration.summary)) return undefined;
  if (path.startsWith(ADMIN_API)) return 'admin';
  return path.startsWith(ADMIN) ? undefined : 'public';
}
