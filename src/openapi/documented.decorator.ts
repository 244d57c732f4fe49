import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import {
  COMPONENT_NAME,
  type Content,
  type Example,
  type Parameter,
  type Reference,
  type Response,
  type Schema,
} from './document-types.js';
import { ProblemDto } from './problem.dto.js';
import { problemResponses, type ProblemSamples } from './problem-response.js';
import { MALFORMED_IF_MATCH, NOT_AS_ASKED_FOR } from './problem-samples.js';
import { IF_MATCH_ON_READ, IF_NONE_MATCH } from './request-headers.js';
import { headerReferences, type ResponseHeader } from './response-headers.js';

/** Names the schema whose properties are the query's parameters, for `completePaths` to spread. */
export const QUERY_EXTENSION = 'x-query';

/** A body of a media type: a DTO, a list of them (`[PostDto]`), or a schema. */
export interface MediaDocs {
  readonly type: Type | readonly [Type] | Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

export type ContentDocs = Readonly<Record<string, MediaDocs>>;

export interface AnswerDocs {
  /** Where several operations answer so, the name they share it by. */
  readonly componentName?: string;
  readonly description: string;
  /** What it carries besides the fields that all answers have. */
  readonly headers?: readonly ResponseHeader[];
  readonly content?: ContentDocs;
}

/** What a handler takes and gives. What stands before it, see front-responses.ts, need not be told here. */
export interface OperationDocs {
  readonly summary: string;
  readonly description?: string;
  /** The class of the query: each of its properties is a parameter. */
  readonly query?: Type;
  /** Parameters in the path and the header. */
  readonly parameters?: readonly Parameter[];
  readonly body?: { readonly description?: string; readonly content: ContentDocs };
  /** A 200 that has an ETag: it brings `If-None-Match` and 304, `If-Match` and 412 along. */
  readonly representation?: AnswerDocs;
  readonly answers?: Readonly<Record<number, AnswerDocs>>;
  /** A sample of each problem that the handler answers with. */
  readonly problems?: ProblemSamples;
}

const REPRESENTATION_HEADERS = ['ETag', 'Cache-Control', 'Vary'] as const;

/** Documents a controller's method; its name is the operationId. */
export function Documented(docs: OperationDocs): MethodDecorator {
  const { summary, description, query, body } = docs;
  const { parameters, answers, problems } = withRepresentation(docs);
  const responses: Record<string, Response> = { ...mapAnswers(answers), ...problemResponses(problems) };
  const models = [ProblemDto, ...modelsOf(docs), ...(query ? [query] : [])];
  return applyDecorators(
    ApiOperation({
      summary,
      ...(description === undefined ? {} : { description }),
      ...(body ? { requestBody: { ...body, content: contentOf(body.content), required: true } } : {}),
    }),
    ApiExtraModels(...models),
    ...(query ? [ApiExtension(QUERY_EXTENSION, getSchemaPath(query))] : []),
    ...parameters.map((parameter) => (parameter.in === 'path' ? ApiParam(parameter) : ApiHeader(parameter))),
    ...Object.entries(responses).map(([status, response]) =>
      ApiResponse({ ...response, status: Number(status) }),
    ),
  );
}

function withRepresentation({
  representation,
  answers = {},
  parameters = [],
  problems = {},
}: OperationDocs): Required<Pick<OperationDocs, 'parameters' | 'answers' | 'problems'>> {
  if (!representation) return { parameters, answers, problems };
  const headers = [...REPRESENTATION_HEADERS, ...(representation.headers ?? [])];
  return {
    parameters: [...parameters, IF_MATCH_ON_READ, IF_NONE_MATCH],
    problems: { ...problems, malformedIfMatch: MALFORMED_IF_MATCH, notAsAskedFor: NOT_AS_ASKED_FOR },
    answers: {
      200: { ...representation, headers: [...headers, 'Content-Encoding'] },
      304: {
        componentName: 'NotModified',
        description: 'What the client has, by its ETag in `If-None-Match`, still holds.',
        headers,
      },
      ...answers,
    },
  };
}

function mapAnswers(answers: Readonly<Record<number, AnswerDocs>>): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { componentName, description, headers = [], content }]) => [
      status,
      {
        ...(componentName === undefined ? {} : { [COMPONENT_NAME]: componentName }),
        description,
        headers: headerReferences(headers),
        ...(content ? { content: contentOf(content) } : {}),
      },
    ]),
  );
}

function contentOf(content: ContentDocs): Content {
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, { type, ...examples }]) => [
      mediaType,
      { schema: schemaOf(type), ...examples },
    ]),
  );
}

function schemaOf(type: MediaDocs['type']): Schema | Reference {
  if (typeof type === 'function') return { $ref: getSchemaPath(type) };
  if (isList(type)) return { type: 'array', items: { $ref: getSchemaPath(type[0]) } };
  return type;
}

function modelsOf({ body, representation, answers = {} }: OperationDocs): Type[] {
  const contents = [
    body?.content,
    representation?.content,
    ...Object.values(answers).map(({ content }) => content),
  ];
  return contents
    .flatMap((content) => Object.values(content ?? {}))
    .flatMap(({ type }) => (typeof type === 'function' ? [type] : isList(type) ? [...type] : []));
}

function isList(type: MediaDocs['type']): type is readonly [Type] {
  return Array.isArray(type);
}
