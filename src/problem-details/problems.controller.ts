import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { STATUS_CODES } from 'node:http';
import type { Answer } from '../http/answer.js';
import { answerAsset, toAsset } from '../http/asset.js';
import { noInput } from '../http/input-reader.js';
import { HTML_TYPE, JSON_TYPE } from '../http/media-types.js';
import type { RequestContext } from '../http/request-context.js';
import { pathOf } from '../http/route.js';
import { pageFields } from '../http/security-fields.js';
import { TAGS } from '../openapi/tags.js';
import { findKind, PROBLEM_KINDS, type ProblemKind } from './catalogue.js';
import { NotFound } from './problems.js';
import { DocumentsProblem, DocumentsProblems } from './problems.docs.js';
import { problemDetail } from './problems.routes.js';

const PAGE_FIELDS = pageFields([
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]);

/** Explains the kinds of problem, to programs and to people. */
@ApiTags(TAGS.problems)
@Controller('problems')
export class ProblemsController {
  @Get()
  @DocumentsProblems()
  listProblems(@Req() { context }: Request): Answer {
    noInput.read(context);
    return answerKinds(PROBLEM_KINDS, 'Problems of the Posts Service', context);
  }

  @Get(':slug')
  @DocumentsProblem()
  getProblem(@Req() { context }: Request): Answer {
    noInput.read(context);
    const kind = findKind(context.parameters['slug']!);
    if (!kind) throw new NotFound();
    return answerKinds(kind, kind.title, context);
  }
}

function answerKinds(
  kinds: ProblemKind | readonly ProblemKind[],
  title: string,
  context: RequestContext,
): Answer {
  const isPage = context.representation?.mediaType === HTML_TYPE;
  const list = [kinds].flat();
  const described = (kind: ProblemKind) => ({ type: context.baseUrl + pathOf(problemDetail, kind), ...kind });
  const body = isPage
    ? pageOf(list, title)
    : JSON.stringify('slug' in kinds ? described(kinds) : list.map(described));
  return answerAsset(toAsset(body, isPage ? `${HTML_TYPE}; charset=utf-8` : JSON_TYPE), PAGE_FIELDS);
}

/** The texts are those of the catalogue, which holds nothing that HTML would have to escape; a test sees to that. */
function pageOf(kinds: readonly ProblemKind[], title: string): string {
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
