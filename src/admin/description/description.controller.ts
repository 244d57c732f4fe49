import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../http/pipeline/operation.decorator.js';
import { JSON_TYPE } from '../../http/protocol/media-type.js';
import type { ApiResponse } from '../../http/response/api-response.js';
import { assetResponse } from '../../http/response/document-response.js';
import { openApiOperation } from '../../openapi/docs.controller.js';
import { OpenApiService } from '../../openapi/openapi.service.js';
import { TAGS } from '../../openapi/tags.js';

/** Serves the OpenAPI document of /admin/api/. */
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
