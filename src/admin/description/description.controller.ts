import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { openApiOperation } from '../../docs/docs.controller.js';
import { OpenApiService } from '../../docs/openapi.service.js';
import type { ApiResponse } from '../../http/api-response.js';
import { assetResponse } from '../../http/asset.js';
import { JSON_TYPE } from '../../http/media-types.js';
import { Operation } from '../../http/operation.decorator.js';
import { TAGS } from '../../openapi/tags.js';

/** Serves the description of what stands under /admin/api/. */
@ApiTags(TAGS.description)
@Controller('admin/api')
export class DescriptionController {
  constructor(private readonly openApi: OpenApiService) {}

  @Get('openapi.json')
  @Operation(openApiOperation('admin-openapi-json', JSON_TYPE))
  getAdminOpenApiJson(): ApiResponse {
    return assetResponse(this.openApi.json('admin'));
  }
}
