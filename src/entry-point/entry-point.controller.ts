import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Answer } from '../http/answer.js';
import { answerAsset, toAsset } from '../http/asset.js';
import { formatLinks } from '../http/link-header.js';
import { HTML_TYPE, JSON_TYPE } from '../http/media-types.js';
import { Operation } from '../http/operation.decorator.js';
import type { RequestContext } from '../http/request-context.js';
import { UNKNOWN_PARAMETER } from '../openapi/problem-samples.js';
import { TAGS } from '../openapi/tags.js';
import { EntryPointDto } from './entry-point.dto.js';

@ApiTags(TAGS.discovery)
@Controller()
export class EntryPointController {
  @Get()
  @Operation({
    name: 'entry-point',
    summary: 'Find the collections',
    description:
      'Where a client starts. `Link` names this description (`service-desc`) and this page (`service-doc`).',
    produces: [{ mediaType: JSON_TYPE }, { mediaType: HTML_TYPE, seeOther: '/docs/' }],
    representation: {
      description: 'Where the collections are.',
      headers: ['Link'],
      content: { [JSON_TYPE]: { type: EntryPointDto } },
    },
    problems: { unknownParameter: UNKNOWN_PARAMETER },
    respond: entryPointResponse,
  })
  getEntryPoint(): void {}
}

function entryPointResponse(_value: void, context: RequestContext): Answer {
  const links: EntryPointDto = { posts: context.urlOf('post-list') };
  return answerAsset(toAsset(JSON.stringify(links), JSON_TYPE), {
    // RFC 8631: where a description for machines and one for people stand.
    Link: formatLinks([
      { target: context.urlOf('openapi-json'), rel: 'service-desc', type: JSON_TYPE },
      { target: context.urlOf('docs'), rel: 'service-doc', type: HTML_TYPE },
    ]),
  });
}
