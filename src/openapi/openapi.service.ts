import { type INestApplication, Inject, Injectable } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { RouteTable } from '../http/request/route-table.js';
import { JSON_TYPE, YAML_TYPE } from '../http/protocol/media-type.js';
import type { ApiResponse } from '../http/response/api-response.js';
import { assetResponse } from '../http/response/asset-response.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { clientDocument } from './client-document.js';
import { completePaths, documentedRoutes } from './complete-document.js';
import { PARAMETERS, RESPONSE_HEADERS } from './header-fields.js';
import { CLIENT_INFO, INFO, SECURITY_SCHEMES, TAGS } from './info.js';
import { mapValues } from './map-values.js';
import { ProblemDto } from './problem.dto.js';
import { problemResponses } from './problem-responses.js';
import { modernSchema, onlyReferenced, type Schemas } from './schemas.js';

/**
 * Generates the OpenAPI 3.1 documents from the controllers and routes. Each document is generated when it is first
 * requested.
 */
@Injectable()
export class OpenApiService {
  #app: INestApplication | undefined;
  #json: ApiResponse | undefined;
  #yaml: ApiResponse | undefined;
  #client: OpenAPIObject | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly routeTable: RouteTable,
  ) {}

  /** Sets the application whose controllers are documented. */
  document(app: INestApplication): void {
    this.#app = app;
  }

  json(): ApiResponse {
    return (this.#json ??= assetResponse(JSON.stringify(this.#describe()), JSON_TYPE));
  }

  forClients(): OpenAPIObject {
    return (this.#client ??= clientDocument(this.#describe(), CLIENT_INFO));
  }

  async yaml(): Promise<ApiResponse> {
    if (!this.#yaml) {
      // Few clients request YAML, and loading the package would slow every start.
      const { stringify } = await import('yaml');
      const options = { lineWidth: 0, aliasDuplicateObjects: false };
      this.#yaml = assetResponse(stringify(this.#describe(), options), YAML_TYPE);
    }
    return this.#yaml;
  }

  #describe(): OpenAPIObject {
    const { publicUrl, basePath } = this.settings;
    const scanned = SwaggerModule.createDocument(
      this.#app!,
      { openapi: '3.1.0', info: INFO },
      {
        autoTagControllers: false,
        extraModels: [ProblemDto],
        operationIdFactory: (_controller, handler) => handler,
      },
    );
    const paths = completePaths(scanned.paths, documentedRoutes(this.routeTable.routes));
    const components = onlyReferenced(paths, {
      schemas: mapValues(scanned.components!.schemas as Schemas, modernSchema),
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
