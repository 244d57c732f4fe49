import { ApiProperty } from '@nestjs/swagger';
import { HTML_TYPE, JSON_TYPE } from '../http/media-types.js';
import { pathOf } from '../http/route.js';
import type { Parameter } from '../openapi/document-types.js';
import { type ContentDocs, Documented, type MediaDocs } from '../openapi/documented.decorator.js';
import { EXAMPLE_BASE_URL } from '../openapi/problem-response.js';
import { UNKNOWN_PARAMETER } from '../openapi/problem-samples.js';
import { ClosedSchema } from '../openapi/schema.decorator.js';
import { CATALOGUE, PROBLEM_KINDS, type ProblemKind } from './catalogue.js';
import { NotFound } from './problems.js';
import { problemDetail } from './problems.routes.js';

@ClosedSchema('ProblemKind', 'A kind of problem, explained.')
class ProblemKindDto implements ProblemKind {
  @ApiProperty({ type: String, format: 'uri', description: 'The `type` of such problems.' })
  type!: string;

  @ApiProperty({
    type: String,
    enum: PROBLEM_KINDS.map(({ slug }) => slug),
    description: 'The last part of the `type`.',
  })
  slug!: string;

  @ApiProperty({ type: 'integer', minimum: 400, maximum: 599, description: 'The status of such answers.' })
  status!: number;

  @ApiProperty({ type: String, description: 'The `title` of such problems.' })
  title!: string;

  @ApiProperty({ type: String, description: 'What happened.' })
  explanation!: string;

  @ApiProperty({ type: String, description: 'What the client can do about it.' })
  remedy!: string;
}

const SLUG: Parameter = {
  name: 'slug',
  in: 'path',
  required: true,
  description: 'The kind of problem.',
  schema: { type: 'string', enum: PROBLEM_KINDS.map(({ slug }) => slug) },
};

export function DocumentsProblems(): MethodDecorator {
  return Documented({
    summary: 'List the kinds of problem',
    description:
      'Problems whose status says it all have no kind of their own: their `type` is `about:blank`.',
    representation: {
      description: 'All kinds of problem that say more than their status.',
      headers: ['Cross-Origin-Opener-Policy', 'Permissions-Policy'],
      content: explained({ type: [ProblemKindDto], example: PROBLEM_KINDS.map(exampleOf) }),
    },
    problems: { unknownParameter: UNKNOWN_PARAMETER },
  });
}

export function DocumentsProblem(): MethodDecorator {
  return Documented({
    summary: 'Explain a kind of problem',
    description: 'Where the `type` of a problem leads.',
    parameters: [SLUG],
    representation: {
      description: 'What happened, and what the client can do about it.',
      headers: ['Cross-Origin-Opener-Policy', 'Permissions-Policy'],
      content: explained({ type: ProblemKindDto, example: exampleOf(CATALOGUE.preconditionFailed) }),
    },
    problems: { unknownParameter: UNKNOWN_PARAMETER, notFound: new NotFound() },
  });
}

function explained(json: MediaDocs): ContentDocs {
  return { [JSON_TYPE]: json, [HTML_TYPE]: { type: { type: 'string' }, example: '<!doctype html>…' } };
}

function exampleOf(kind: ProblemKind): ProblemKindDto {
  return { type: EXAMPLE_BASE_URL + pathOf(problemDetail, kind), ...kind };
}
