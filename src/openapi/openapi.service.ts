import { type INestApplication, Inject, Injectable } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type Route, RouteTable } from '../http/pipeline/route-table.js';
import { JSON_TYPE, YAML_TYPE } from '../http/protocol/media-type.js';
import type { InputClass } from '../http/request/input-rules.js';
import type { ApiResponse } from '../http/response/api-response.js';
import { assetResponse } from '../http/response/asset-response.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { clientDocument } from './client-document.js';
import { completePaths, documentedRoutes } from './complete-document.js';
import { tagsOf } from './document-types.js';
import { PARAMETERS, RESPONSE_HEADERS } from './header-fields.js';
import { CLIENT_INFO, INFO } from './info.js';
import { modelsOf } from './operation-docs.js';
import { ProblemDto } from './problem.dto.js';
import { problemResponses } from './problem-responses.js';
import { modernSchemas, onlyReferenced, type Schemas } from './schemas.js';

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
    const scanned = SwaggerModule.createDocument(
      this.#app!,
      { openapi: '3.1.0', info: INFO },
      {
        autoTagControllers: false,
        extraModels: [ProblemDto, ...this.routeTable.routes.flatMap(modelsOfRoute)],
        operationIdFactory: (_controller, method) => method,
      },
    );
    const tags = new Map(
      Object.entries(scanned.paths)
        // Handlers of the administration may have the names of documented ones.
        .filter(([path]) => !path.startsWith('/admin/'))
        .flatMap(([, pathItem]) => Object.values(pathItem) as { operationId: string; tags?: string[] }[])
        .map((operation) => [operation.operationId, operation.tags ?? []]),
    );
    const schemas = modernSchemas(scanned.components?.schemas as Schemas);
    const paths = completePaths(documentedRoutes(this.routeTable.routes), {
      schemas,
      tagsOf: (operationId) => tags.get(operationId) ?? [],
    });
    const components = onlyReferenced(paths, {
      schemas,
      parameters: { ...PARAMETERS },
      responses: problemResponses(),
      headers: RESPONSE_HEADERS,
    });
    const document = {
      openapi: '3.1.0',
      info: INFO,
      servers: [{ url: publicUrl ?? (basePath || '/') }],
      tags: tagsOf(paths),
      // No security unless an operation declares it.
      security: [],
      paths,
      components: {
        ...components,
        securitySchemes: SECURITY_SCHEMES,
      },
    };
    return JSON.stringify(document);
  }
}

function modelsOfRoute({ parameters, operations }: Route): InputClass[] {
  const classes = Object.values(operations).flatMap(({ query, declaration }) => [
    query,
    ...modelsOf(declaration),
  ]);
  return [parameters, ...classes].filter((each) => each !== undefined);
}
