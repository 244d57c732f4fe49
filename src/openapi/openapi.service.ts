import { type INestApplication, Inject, Injectable } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { RouteTable } from '../http/request/route-table.js';
import { JSON_TYPE, YAML_TYPE } from '../http/protocol/media-type.js';
import type { ApiResponse } from '../http/response/api-response.js';
import { assetResponse } from '../http/response/asset-response.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { clientDocument } from './client-document.js';
import { completePaths, documentedRoutes } from './complete-document.js';
import { tagsOf } from './document-types.js';
import { PARAMETERS, RESPONSE_HEADERS } from './header-fields.js';
import { CLIENT_INFO, INFO } from './info.js';
import { mapValues } from './map-values.js';
import { ProblemDto } from './problem.dto.js';
import { problemResponses } from './problem-responses.js';
import { modernSchema, onlyReferenced, type Schemas } from './schemas.js';

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'One of API_TOKENS, a token created in the administration site, or the token of a session there. Without API_TOKENS, no token is required.',
  },
} as const;

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
    return (this.#json ??= assetResponse(this.#describe(), JSON_TYPE));
  }

  forClients(): OpenAPIObject {
    this.#client ??= clientDocument(JSON.parse(this.#describe()) as OpenAPIObject, CLIENT_INFO);
    return this.#client;
  }

  async yaml(): Promise<ApiResponse> {
    if (!this.#yaml) {
      // Few clients request YAML, and loading the package would slow every start.
      const { stringify } = await import('yaml');
      this.#yaml = assetResponse(stringify(JSON.parse(this.#describe()), { lineWidth: 0 }), YAML_TYPE);
    }
    return this.#yaml;
  }

  #describe(): string {
    const { publicUrl, basePath } = this.settings;
    const options = { autoTagControllers: false, extraModels: [ProblemDto] };
    const scanned = SwaggerModule.createDocument(
      this.#app!,
      { openapi: '3.1.0', info: INFO },
      { ...options, operationIdFactory: (_controller, handler) => handler },
    );
    const paths = completePaths(scanned.paths, documentedRoutes(this.routeTable.routes));
    const components = onlyReferenced(paths, {
      schemas: mapValues(scanned.components!.schemas as Schemas, modernSchema),
      parameters: PARAMETERS,
      responses: problemResponses(),
      headers: RESPONSE_HEADERS,
    });
    return JSON.stringify({
      openapi: scanned.openapi,
      info: INFO,
      servers: [{ url: publicUrl ?? (basePath || '/') }],
      tags: tagsOf(paths),
      // No security unless an operation declares it.
      security: [],
      paths,
      components: { ...components, securitySchemes: SECURITY_SCHEMES },
    });
  }
}
