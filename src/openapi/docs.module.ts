import { Module } from '@nestjs/common';
import { DocsController } from './docs.controller.js';
import { OpenApiService } from './openapi.service.js';
import { SwaggerUiAssets } from './swagger-ui-assets.js';

/** The OpenAPI documents for programs, and Swagger UI for people. */
@Module({
  controllers: [DocsController],
  providers: [OpenApiService, SwaggerUiAssets],
  exports: [OpenApiService],
})
export class DocsModule {}
