import { type INestApplication, Inject, Injectable, type Type } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { RouteTable } from '../http/index.js';
import { problemKinds } from '../problem-details/index.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { clientDocument } from './client-document.js';
import { completePaths, problemResponses } from './complete-document.js';
import { mapValues, modernSchema, onlyReferenced, type Schemas } from './document-types.js';
import { PARAMETERS, RESPONSE_HEADERS } from './header-fields.js';
import { INFO, SECURITY_SCHEMES, TAGS } from './info.js';
import { modelsOf } from './operation-documents.js';
import { ProblemDto } from './problem.dto.js';

/**
 * Generates the OpenAPI 3.1 documents from the controllers and routes. Each document is generated when it is first
 * requested.
 */
@Injectable()
export class OpenApiService {
  #full: OpenAPIObject | undefined;
  #client: OpenAPIObject | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly routeTable: RouteTable,
    private readonly modules: ModulesContainer,
    private readonly host: HttpAdapterHost,
  ) {}

  full(): OpenAPIObject {
    return (this.#full ??= this.#describe());
  }

  forClients(): OpenAPIObject {
    return (this.#client ??= clientDocument(this.full()));
  }

  /** The classes of the bodies, also of operations that are a part of another one. */
  #models(): Type[] {
    return this.routeTable.routes
      .flatMap(({ methods }) => Object.values(methods))
      .flatMap(({ operations }) => operations)
      .flatMap(({ declaration }) => modelsOf(declaration));
  }

  /**
   * What createDocument() reads of an application. Nest does not inject the application itself, and its configuration has
   * nothing to say here: the service has no global prefix and no versions.
   */
  #application(): INestApplication {
    const application = {
      container: { getModules: () => this.modules },
      config: new ApplicationConfig(),
      getHttpAdapter: () => this.host.httpAdapter,
    };
    return application as unknown as INestApplication;
  }

  #describe(): OpenAPIObject {
    const { publicUrl, basePath } = this.settings;
    const scanned = SwaggerModule.createDocument(
      this.#application(),
      { openapi: '3.1.0', info: INFO },
      {
        autoTagControllers: false,
        extraModels: [...this.#models(), ProblemDto],
        operationIdFactory: (_controller, handler) => handler,
      },
    );
    const schemas = mapValues(scanned.components!.schemas as Schemas, modernSchema);
    const codes = problemKinds().map(({ slug }) => slug);
    const paths = completePaths(scanned.paths, this.routeTable.routes);
    const components = onlyReferenced(paths, {
      schemas: { ...schemas, ProblemCode: { ...schemas['ProblemCode'], enum: codes } },
      parameters: PARAMETERS,
      responses: problemResponses(),
      headers: RESPONSE_HEADERS,
    });
    return {
      openapi: scanned.openapi,
      info: INFO,
      servers: [{ url: publicUrl ?? (basePath || '/') }],
      tags: TAGS,
      // No security unless an operation declares it.
      security: [],
      paths,
      components: { ...components, securitySchemes: SECURITY_SCHEMES },
    };
  }
}
