import { Module } from '@nestjs/common';
import { DocsController } from './docs.controller.js';
import { OpenApiService } from './openapi.service.js';
import { SwaggerUiAssets } from './swagger-ui-assets.js';

/** The description of the service, for programs and for people. */
@Module({
  controllers: [DocsController],
  providers: [OpenApiService, SwaggerUiAssets],
  exports: [OpenApiService],
})
export class DocsModule {}
