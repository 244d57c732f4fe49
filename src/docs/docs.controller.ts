import { All, Controller, Get, Param, Req } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Answer } from '../http/answer.js';
import { answerAsset, answerFile, toAsset } from '../http/asset.js';
import { HTML_TYPE, JSON_TYPE, YAML_TYPE } from '../http/media-types.js';
import { TAGS } from '../openapi/tags.js';
import { DocumentsOpenApi, DocumentsPage } from './docs.docs.js';
import { OpenApiService } from './openapi.service.js';
import { SwaggerUiAssets } from './swagger-ui-assets.js';
import { PAGE_FIELDS, PAGE_HTML } from './swagger-ui-page.js';

const PAGE = toAsset(PAGE_HTML, `${HTML_TYPE}; charset=utf-8`);

/** Serves the description of the service, and Swagger UI, which makes a form of it. */
@ApiTags(TAGS.discovery)
@Controller()
export class DocsController {
  constructor(
    private readonly openApi: OpenApiService,
    private readonly assets: SwaggerUiAssets,
  ) {}

  @Get('openapi.json')
  @DocumentsOpenApi(JSON_TYPE)
  getOpenApiJson(): Answer {
    return answerAsset(this.openApi.json());
  }

  @Get('openapi.yaml')
  @DocumentsOpenApi(YAML_TYPE)
  async getOpenApiYaml(): Promise<Answer> {
    return answerAsset(await this.openApi.yaml());
  }

  @Get('docs')
  @DocumentsPage()
  getDocs(): Answer {
    return answerAsset(PAGE, PAGE_FIELDS);
  }

  /** A file of Swagger UI. */
  @All('docs/:asset')
  @ApiExcludeEndpoint()
  getAsset(@Param('asset') name: string, @Req() request: Request): Answer {
    const asset = this.assets.find(name);
    return answerFile(request, asset && answerAsset(asset, { Vary: 'Accept-Encoding' }));
  }
}
