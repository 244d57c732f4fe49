import { Module } from '@nestjs/common';
import { DocsController } from './docs.controller.js';
import { OpenApiService } from './openapi.service.js';
import { ProblemsController } from './problems.controller.js';

/** The OpenAPI documents for programs, Swagger UI and the explanations of problems for people. */
@Module({ controllers: [ProblemsController, DocsController], providers: [OpenApiService] })
export class DocsModule {}
