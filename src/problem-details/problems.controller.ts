import { Controller, Get, Param } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { STATUS_CODES } from 'node:http';
import { Operation } from '../http/pipeline/operation.decorator.js';
import type { Representation } from '../http/pipeline/route-table.js';
import { HTML_TYPE, JSON_TYPE } from '../http/protocol/media-type.js';
import { ChosenRepresentation, UrlOfRoute } from '../http/request/handler-arguments.js';
import type { UrlOf } from '../http/request/request-context.js';
import type { ApiResponse } from '../http/response/api-response.js';
import { assetResponse } from '../http/response/asset-response.js';
import { pageFields } from '../http/response/security-fields.js';
import { ClosedSchema } from '../openapi/document-types.js';
import type { ContentDocs, MediaDocs } from '../openapi/operation-docs.js';
import { EXAMPLE_BASE_URL } from '../openapi/problem-responses.js';
import { CATALOGUE, findKind, PROBLEM_KINDS, type ProblemKind } from './catalogue.js';

const PAGE_FIELDS = pageFields([
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]);

const SLUGS = PROBLEM_KINDS.map(({ slug }) => slug);

@ClosedSchema('ProblemKind', 'A kind of problem, explained.')
class ProblemKindDto implements ProblemKind {
  @ApiProperty({ format: 'uri', description: 'The `type` of such problems.' })
  type!: string;

  @ApiProperty({
    enum: SLUGS,
    description: 'The `code` of such problems, and the last part of their `type`.',
  })
  slug!: ProblemKind['slug'];

  @ApiProperty({ type: 'integer', minimum: 400, maximum: 599, description: 'The status of such responses.' })
  status!: number;

  @ApiProperty({ description: 'The `title` of such problems.' })
  title!: string;

  @ApiProperty({ description: 'What happened.' })
  explanation!: string;

  @ApiProperty({ description: 'What the client can do about it.' })
  remedy!: string;
}

class ProblemPath {
  @IsIn(SLUGS)
  @ApiProperty({ enum: SLUGS, description: 'The kind of problem.' })
  slug!: string;
}

function explained(json: MediaDocs): ContentDocs {
  return { [JSON_TYPE]: json, [HTML_TYPE]: { type: { type: 'string' }, example: '<!doctype html>…' } };
}

function exampleOf(kind: ProblemKind): ProblemKindDto {
  return { type: `${EXAMPLE_BASE_URL}/problems/${kind.slug}/`, ...kind };
}

/** Explains the kinds of problem, to programs and to people. */
@ApiTags('problems')
@Controller('problems')
export class ProblemsController {
  @Get()
  @Operation({
    name: 'problem-list',
    summary: 'List the kinds of problem',
    description:
      'A problem that only repeats its status is not in this list: its `type` is `about:blank`, its `code` names the status.',
    representation: {
      description: 'All kinds of problem with an explanation.',
      content: explained({ type: [ProblemKindDto], example: PROBLEM_KINDS.map(exampleOf) }),
    },
  })
  listProblems(
    @ChosenRepresentation() { mediaType }: Representation,
    @UrlOfRoute() urlOf: UrlOf,
  ): ApiResponse {
    return mediaType === HTML_TYPE
      ? pageResponse(PROBLEM_KINDS)
      : jsonResponse(PROBLEM_KINDS.map((kind) => toDto(kind, urlOf)));
  }

  @Get(':slug')
  @Operation({
    name: 'problem-detail',
    summary: 'Explain a kind of problem',
    description: 'The target of the `type` of a problem.',
    representation: {
      description: 'The cause, and what the client can do.',
      content: explained({ type: ProblemKindDto, example: exampleOf(CATALOGUE.preconditionFailed) }),
    },
  })
  getProblem(
    @Param() { slug }: ProblemPath,
    @ChosenRepresentation() { mediaType }: Representation,
    @UrlOfRoute() urlOf: UrlOf,
  ): ApiResponse {
    const kind = findKind(slug)!;
    return mediaType === HTML_TYPE ? pageResponse([kind]) : jsonResponse(toDto(kind, urlOf));
  }
}

function toDto(kind: ProblemKind, urlOf: UrlOf): ProblemKindDto {
  return { type: urlOf('problem-detail', kind), ...kind };
}

function jsonResponse(document: object): ApiResponse {
  return assetResponse(JSON.stringify(document), JSON_TYPE, PAGE_FIELDS);
}

function pageResponse(kinds: readonly ProblemKind[]): ApiResponse {
  return assetResponse(pageOf(kinds), `${HTML_TYPE}; charset=utf-8`, PAGE_FIELDS);
}

/** The texts come from the catalogue, which contains nothing that HTML must escape; a test verifies that. */
function pageOf(kinds: readonly ProblemKind[]): string {
  const title = kinds.length === 1 ? kinds[0]!.title : 'Problems of the Posts Service';
  const sections = kinds.map(
    (kind) =>
      `<h2 id="${kind.slug}">${kind.title}</h2>
    <p>Status ${kind.status} ${STATUS_CODES[kind.status]}, type <code>/problems/${kind.slug}/</code></p>
    <p>${kind.explanation}</p>
    <p>${kind.remedy}</p>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
  </head>
  <body>
    <h1>${title}</h1>
    ${sections.join('\n    ')}
  </body>
</html>
`;
}
