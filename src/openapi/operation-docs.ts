import type { Type } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import {
  type Content,
  type Example,
  type Operation,
  type Parameter,
  type Reference,
  type Response,
  type Responses,
  type Schema,
} from './document-types.js';
import {
  COMMON_HEADERS,
  headerReferences,
  IF_MATCH_ON_READ,
  IF_MODIFIED_SINCE,
  IF_NONE_MATCH,
  IF_UNMODIFIED_SINCE,
  type ResponseHeader,
} from './header-fields.js';
import {
  MALFORMED_IF_MATCH,
  NOT_AS_ASKED_FOR,
  type ProblemResponses,
  type ProblemSamples,
} from './problem-response.js';
import { mapValues } from './map-values.js';

/** A body of a media type: a DTO, a list of them (`[PostDto]`), or a schema. */
export interface MediaDocs {
  readonly type: Type | readonly [Type] | Schema;
  /** The alternative type, when the request selects it. */
  readonly or?: Type | readonly [Type];
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

export type ContentDocs = Readonly<Record<string, MediaDocs>>;

export interface ResponseDocs {
  readonly description: string;
  /** The header fields besides those of all responses. */
  readonly headers?: readonly ResponseHeader[];
  readonly content?: ContentDocs;
}

/** The documentation of a handler's input and output. complete-document.ts adds the responses of the pipeline. */
export interface OperationDocs {
  /** Without a summary, the operation is not in the OpenAPI document. */
  readonly summary?: string;
  readonly description?: string;
  /** Header fields; the parameters of the path and the query come from the classes of the arguments. */
  readonly parameters?: readonly Parameter[];
  readonly body?: { readonly description?: string; readonly content: ContentDocs };
  /**
   * A 200 with an ETag. It adds `If-None-Match` and 304, and `If-Match` and 412; with `Last-Modified` among its
   * headers, it also adds the conditions on dates.
   */
  readonly representation?: ResponseDocs;
  readonly responses?: Readonly<Record<number, ResponseDocs>>;
  /** A sample of each problem that the handler throws. */
  readonly problems?: ProblemSamples;
}

/** The parts of an OpenAPI operation that come from its declaration. */
export function describeOperation(
  docs: OperationDocs,
  problemResponses: ProblemResponses,
): Pick<Operation, 'summary' | 'description' | 'requestBody'> & {
  readonly parameters: readonly Parameter[];
  readonly responses: Responses;
} {
  const { summary, description, body } = docs;
  const { parameters, responses, problems } = withRepresentation(docs);
  return {
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(body ? { requestBody: { ...body, content: contentOf(body.content), required: true } } : {}),
    parameters,
    responses: { ...mapValues(responses, responseOf), ...problemResponses.references(problems) },
  };
}

/** The classes of an operation's request and response bodies. */
export function modelsOf({ body, representation, responses = {} }: OperationDocs): Type[] {
  const contents = [
    body?.content,
    representation?.content,
    ...Object.values(responses).map(({ content }) => content),
  ];
  return contents
    .flatMap((content) => Object.values(content ?? {}))
    .flatMap(({ type, or }) => [type, or])
    .flatMap((type) => (typeof type === 'function' ? [type] : isList(type) ? [...type] : []));
}

function withRepresentation({
  representation,
  responses = {},
  parameters = [],
  problems = {},
}: OperationDocs): Required<Pick<OperationDocs, 'parameters' | 'responses' | 'problems'>> {
  if (!representation) return { parameters, responses, problems };
  const headers: readonly ResponseHeader[] = ['ETag', ...(representation.headers ?? [])];
  return {
    parameters: [
      ...parameters,
      IF_MATCH_ON_READ,
      IF_NONE_MATCH,
      ...(headers.includes('Last-Modified') ? [IF_UNMODIFIED_SINCE, IF_MODIFIED_SINCE] : []),
    ],
    problems: { ...problems, malformedIfMatch: MALFORMED_IF_MATCH, notAsAskedFor: NOT_AS_ASKED_FOR },
    responses: {
      200: { ...representation, headers },
      304: {
        description:
          'The representation of the client is still current, by `If-None-Match` or `If-Modified-Since`.',
        headers,
      },
      ...responses,
    },
  };
}

function responseOf({ description, headers = [], content }: ResponseDocs): Response {
  return {
    description,
    headers: headerReferences([...COMMON_HEADERS, ...headers]),
    ...(content ? { content: contentOf(content) } : {}),
  };
}

/** Of several examples, the first is shown: Swagger UI's choice has no name for screen readers. */
function contentOf(content: ContentDocs): Content {
  return mapValues(content, ({ type, or, example, examples = {} }) => {
    const shown = example ?? Object.values(examples)[0]?.value;
    return {
      schema: or ? { anyOf: [schemaOf(type), schemaOf(or)] } : schemaOf(type),
      ...(shown === undefined ? {} : { example: shown }),
    };
  });
}

function schemaOf(type: MediaDocs['type']): Schema | Reference {
  if (typeof type === 'function') return { $ref: getSchemaPath(type) };
  if (isList(type)) return { type: 'array', items: { $ref: getSchemaPath(type[0]) } };
  return type;
}

function isList(type: MediaDocs['type'] | undefined): type is readonly [Type] {
  return Array.isArray(type);
}
