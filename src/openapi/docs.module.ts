import { Module } from '@nestjs/common';
import { DocsController, SwaggerUiAssets } from './docs.controller.js';
import { OpenApiService } from './openapi.service.js';

/** The OpenAPI documents for programs, and Swagger UI for people. */
@Module({ controllers: [DocsController], providers: [OpenApiService, SwaggerUiAssets] })
export class DocsModule {}
