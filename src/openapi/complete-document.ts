import type { OpenAPIObject } from '@nestjs/swagger';
import { allowedMethods, type Method, operationOf, type Route } from '../http/pipeline/route-table.js';
import type { RouteOperation } from '../http/pipeline/route-table.js';
import { HTML_TYPE } from '../http/protocol/media-type.js';
import type { InputClass } from '../http/request/input-rules.js';
import type {
  Operation,
  Parameter,
  PathItem,
  Reference,
  Response,
  Responses,
  Schema,
} from './document-types.js';
import { COMMON_HEADERS, headerReferences, parameterReference, REQUEST_ID } from './header-fields.js';
import { mapValues } from './map-values.js';
import { describeOperation } from './operation-docs.js';
import { pipelineProblems } from './pipeline-problems.js';
import type { ProblemResponses } from './problem-response.js';
import type { Schemas } from './schemas.js';

/** What the paths contain besides the declarations of the routes. */
export interface DocumentSource {
  readonly schemas: Schemas;
  readonly maxBodyBytes: number;
  readonly problemResponses: ProblemResponses;
  tagsOf(operationId: string): string[];
}

/**
 * Generates the `paths` of the document from the declared routes: the canonical paths with their names, HEAD and
 * OPTIONS, and the responses of the pipeline. Statuses and header fields are declared independently of the
 * configuration.
 *
 * @param routes the documented routes
 */
export function completePaths(routes: readonly Route[], source: DocumentSource): OpenAPIObject['paths'] {
  return Object.fromEntries(
    routes.map((route) => [route.path, new PathCompletion(route, source).complete()]),
  );
}

class PathCompletion {
  constructor(
    private readonly route: Route,
    private readonly source: DocumentSource,
  ) {}

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
      this.source.problemResponses,
    );
    return {
      tags: this.source.tagsOf(id),
      ...texts,
      operationId: id,
      ...securityOf(operation),
      parameters: [
        ...this.#parametersOf(this.route.parameters, 'path'),
        ...this.#parametersOf(input.query, 'query'),
        ...[...parameters, REQUEST_ID].map(parameterReference),
      ],
      ...(requestBody ? { requestBody } : {}),
      responses: { ...this.#pipelineResponses(method, operation), ...responses },
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
      responses: mapValues(responses as Record<string, Response | Reference>, withoutBody),
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
      parameters: [...this.#parametersOf(this.route.parameters, 'path'), parameterReference(REQUEST_ID)],
      responses: {
        ...this.#pipelineResponses('OPTIONS', undefined),
        204: {
          description: isPostedTo
            ? '`Allow` names them, and `Accept-Post` the media types that POST takes.'
            : '`Allow` names them.',
          headers: headerReferences([
            ...COMMON_HEADERS,
            'Allow',
            ...(isPostedTo ? (['Accept-Post'] as const) : []),
          ]),
        },
      },
    };
  }

  /** The responses before a handler is called. */
  #pipelineResponses(method: Method, operation: RouteOperation | undefined): Responses {
    const { problemResponses, maxBodyBytes } = this.source;
    const form = operation?.produces.find(({ seeOther }) => seeOther !== undefined)?.seeOther;
    return {
      ...(form !== undefined && {
        303: {
          description: `Clients that prefer \`${HTML_TYPE}\`, such as browsers, find the browsable form at \`${form}\`.`,
          headers: headerReferences([...COMMON_HEADERS, 'Location']),
        },
      }),
      ...problemResponses.references(pipelineProblems(this.route, method, operation, maxBodyBytes)),
    };
  }

  /** Each property of the class is a parameter. */
  #parametersOf(inputClass: InputClass | undefined, place: 'path' | 'query'): Parameter[] {
    const { properties = {}, required = [] } = (inputClass && this.source.schemas[inputClass.name]) ?? {};
    return Object.entries(properties as Record<string, Schema>).map(([name, { description, ...schema }]) => ({
      name,
      in: place,
      ...(place === 'path' || required.includes(name) ? { required: true } : {}),
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

/** A write requires a token if API_TOKENS is set. */
function securityOf({ needs }: RouteOperation): Pick<Operation, 'security'> {
  return needs === 'nothing' ? {} : { security: [{}, { bearer: [] }] };
}

/** A shared response keeps its content: HEAD never has one (RFC 9110 §9.3.2). */
function withoutBody(response: Response | Reference): Response | Reference {
  if ('$ref' in response) return response;
  const { content: _, ...head } = response;
  return head;
}

/** The routes in the document: those with a summary, without the administration site and without files. */
export function documentedRoutes(routes: readonly Route[]): readonly Route[] {
  return routes.filter(
    ({ path, operations }) =>
      !path.startsWith('/admin/') &&
      !path.endsWith('*') &&
      Object.values(operations).some(({ declaration }) => declaration.summary),
  );
}
