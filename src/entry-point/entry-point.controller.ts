import { Controller, Get } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { ClosedSchema } from '../openapi/index.js';
import { HTML_TYPE, JSON_TYPE } from '../http/protocol/index.js';
import { Access, type ApiResponse, assetResponse, Operation, type UrlOf, UrlOfRoute } from '../http/index.js';
import { formatLinks } from '../paging/index.js';
import { LINKED_TYPES } from '../posts/formats/list-representations.js';

@ClosedSchema('EntryPoint', 'The addresses of the collections.')
class EntryPointDto {
  @ApiProperty({ format: 'uri', example: 'http://127.0.0.1:3000/posts/' })
  posts!: string;
}

@ApiTags('discovery')
@Access({ anyone: 'It has the addresses of the collections only.' })
@Controller()
export class EntryPointController {
  @Get()
  @Operation({
    name: 'entry-point',
    summary: 'Show the entry point',
    description:
      'The start page for programs. `Link` names this description (`service-desc`) and this page (`service-doc`).',
    produces: [{ mediaType: JSON_TYPE }, { mediaType: HTML_TYPE, seeOther: '/docs/' }],
    representation: {
      description: 'The addresses of the collections.',
      headers: ['Link'],
      content: { [JSON_TYPE]: { type: EntryPointDto } },
    },
  })
  getEntryPoint(@UrlOfRoute() urlOf: UrlOf): ApiResponse {
    const entryPoint: EntryPointDto = { posts: urlOf('post-list') };
    return assetResponse(JSON.stringify(entryPoint), JSON_TYPE, {
      // RFC 8631: links to the descriptions for programs and for people. The others are for readers of feeds.
      Link: formatLinks([
        { target: urlOf('openapi-json'), rel: 'service-desc', type: JSON_TYPE },
        { target: urlOf('docs'), rel: 'service-doc', type: HTML_TYPE },
        ...LINKED_TYPES.map((type) => ({ target: urlOf('post-list'), rel: 'alternate', type })),
      ]),
    });
  }
}
