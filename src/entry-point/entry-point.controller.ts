import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { docsPage, openApiJson } from '../docs/docs.routes.js';
import type { Answer } from '../http/answer.js';
import { answerAsset, toAsset } from '../http/asset.js';
import { noInput } from '../http/input-reader.js';
import { formatLinks } from '../http/link-header.js';
import { HTML_TYPE, JSON_TYPE } from '../http/media-types.js';
import { pathOf } from '../http/route.js';
import { TAGS } from '../openapi/tags.js';
import { postList } from '../posts/posts.routes.js';
import { DocumentsEntryPoint } from './entry-point.docs.js';
import type { EntryPointDto } from './entry-point.dto.js';

@ApiTags(TAGS.discovery)
@Controller()
export class EntryPointController {
  @Get()
  @DocumentsEntryPoint()
  getEntryPoint(@Req() { context }: Request): Answer {
    noInput.read(context);
    const { baseUrl } = context;
    const links: EntryPointDto = { posts: baseUrl + pathOf(postList) };
    return answerAsset(toAsset(JSON.stringify(links), JSON_TYPE), {
      // RFC 8631: where a description for machines and one for people stand.
      Link: formatLinks([
        { target: baseUrl + pathOf(openApiJson), rel: 'service-desc', type: JSON_TYPE },
        { target: baseUrl + pathOf(docsPage), rel: 'service-doc', type: HTML_TYPE },
      ]),
    });
  }
}
