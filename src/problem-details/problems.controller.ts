import { Controller, Get, Param } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { STATUS_CODES } from 'node:http';
import { Operation, type Representation } from '../http/request/operation.decorator.js';
import { HTML_TYPE, JSON_TYPE } from '../http/protocol/media-type.js';
import { ChosenRepresentation, UrlOfRoute } from '../http/request/handler-arguments.js';
import type { UrlOf } from '../http/request/request-context.js';
import type { ApiResponse } from '../http/response/api-response.js';
import { assetResponse } from '../http/response/asset-response.js';
import { pageFields } from '../http/response/security-fields.js';
import { ClosedSchema } from '../openapi/document-types.js';
import { EXAMPLE_BASE_URL, HTML_PAGE } from '../openapi/operation-docs.js';
import { PROBLEM_KINDS } from './catalogue.js';
import type { ProblemKind } from './problem.js';
import { PreconditionFailed } from './problems.js';

const SLUGS = PROBLEM_KINDS.map(({ slug }) => slug);

@ClosedSchema('ProblemKind', 'A kind of problem, explained.')
class ProblemKindDto implements ProblemKind {
  @ApiProperty({ format: 'uri', description: 'The `type` of such problems.' })
  type!: string;

  @ApiProperty({ enum: SLUGS, description: 'The `code` of such problems, and the last part of `type`.' })
  slug!: string;

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

const EXAMPLE = { type: `${EXAMPLE_BASE_URL}/problems/precondition-failed/`, ...PreconditionFailed.kind };

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
      content: { [JSON_TYPE]: { type: [ProblemKindDto], example: [EXAMPLE] }, [HTML_TYPE]: HTML_PAGE },
    },
  })
  listProblems(@ChosenRepresentation() chosen: Representation, @UrlOfRoute() urlOf: UrlOf): object {
    return chosen.mediaType === HTML_TYPE
      ? pageOf('Problems of the Posts Service', PROBLEM_KINDS)
      : PROBLEM_KINDS.map((kind) => toDto(kind, urlOf));
  }

  @Get(':slug')
  @Operation({
    name: 'problem-detail',
    summary: 'Explain a kind of problem',
    description: 'The target of the `type` of a problem.',
    representation: {
      description: 'The cause, and what the client can do.',
      content: { [JSON_TYPE]: { type: ProblemKindDto, example: EXAMPLE }, [HTML_TYPE]: HTML_PAGE },
    },
  })
  getProblem(
    @Param() { slug }: ProblemPath,
    @ChosenRepresentation() chosen: Representation,
    @UrlOfRoute() urlOf: UrlOf,
  ): object {
    const kind = PROBLEM_KINDS.find((each) => each.slug === slug)!;
    return chosen.mediaType === HTML_TYPE ? pageOf(kind.title, [kind]) : toDto(kind, urlOf);
  }
}

function toDto(kind: Required<ProblemKind>, urlOf: UrlOf): ProblemKindDto {
  return { type: urlOf('problem-detail', kind), ...kind };
}

/** The texts have nothing that HTML must escape; a test verifies that. */
function pageOf(heading: string, kinds: readonly Required<ProblemKind>[]): ApiResponse {
  const sections = kinds.map(
    ({ slug, title, status, explanation, remedy }) => `
    <h2 id="${slug}">${title}</h2>
    <p>Status ${status} ${STATUS_CODES[status]}, type <code>/problems/${slug}/</code></p>
    <p>${explanation}</p>
    <p>${remedy}</p>`,
  );
  const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${heading}</title>
  </head>
  <body>
    <h1>${heading}</h1>${sections.join('')}
  </body>
</html>
`;
  return assetResponse(page, `${HTML_TYPE}; charset=utf-8`, pageFields());
}
