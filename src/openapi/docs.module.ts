import { Module } from '@nestjs/common';
import { DocsController } from './docs.controller.js';
import { OpenApiService } from './openapi.service.js';

/** The OpenAPI documents for programs, and Swagger UI for people. */
@Module({ controllers: [DocsController], providers: [OpenApiService] })
export class DocsModule {}
