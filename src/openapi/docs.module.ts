import { Module } from '@nestjs/common';
import { AdminDocsController, DocsController, SwaggerUiAssets } from './docs.controller.js';
import { OpenApiService } from './openapi.service.js';

/** The OpenAPI documents for programs, and Swagger UI for people. */
@Module({
  controllers: [DocsController, AdminDocsController],
  providers: [OpenApiService, SwaggerUiAssets],
})
export class DocsModule {}
