import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import { HTML_TYPE } from '../http/protocol/index.js';
import { Access, type ApiResponse, assetResponse, Operation, pageFields } from '../http/index.js';
import type { ProblemKind } from '../problem-details/index.js';
import { explainedKinds } from './catalogue.js';
import { HTML_PAGE } from './operation-documents.js';

/** The page that explains the kinds of problem. The `type` of a problem leads to its section. */
@ApiTags('problems')
@Access({ anyone: 'It explains the problems of all clients.' })
@Controller('problems')
export class ProblemsController {
  /** Made at the first request: the classes of all rooms are loaded then. */
  #page: ApiResponse | undefined;

  @Get()
  @Operation({
    name: 'problem-list',
    summary: 'Explain the kinds of problem',
    description:
      'The `type` of a problem is a link to its section. A problem that only repeats its status has none: its `type` is `about:blank`.',
    representation: { description: 'The page.', content: { [HTML_TYPE]: HTML_PAGE } },
  })
  getProblems(): ApiResponse {
    return (this.#page ??= assetResponse(
      pageOf(explainedKinds()),
      `${HTML_TYPE}; charset=utf-8`,
      pageFields(),
    ));
  }
}

/** The texts have nothing that HTML must escape; a test verifies that. */
function pageOf(kinds: readonly Required<ProblemKind>[]): string {
  const sections = kinds.map(
    ({ slug, title, status, explanation, remedy }) => `
    <h2 id="${slug}">${title}</h2>
    <p>Status ${status} ${STATUS_CODES[status]}, code <code>${slug}</code></p>
    <p>${explanation}</p>
    <p>${remedy}</p>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Problems of the Posts Service</title>
  </head>
  <body>
    <h1>Problems of the Posts Service</h1>${sections.join('')}
  </body>
</html>
`;
}
