import { type INestApplication, Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type Route, RouteTable } from '../http/pipeline/route-table.js';
import { JSON_TYPE, YAML_TYPE } from '../http/protocol/media-type.js';
import type { InputClass } from '../http/request/input-rules.js';
import { type Asset, toAsset } from '../http/response/document-response.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { clientDocument } from './client-document.js';
import { completePaths, documentedRoutes, type DocumentName } from './complete-document.js';
import { tagsOf } from './document-types.js';
import { ADMIN_INFO, CLIENT_INFO, INFO } from './info.js';
import { modelsOf } from './operation-docs.js';
import { EXAMPLE_BASE_URL, ProblemDto } from './problem-response.js';
import { modernSchemas, type Schemas, shareComponents } from './shared-components.js';

const INFOS = { public: INFO, admin: ADMIN_INFO };

const SECURITY_SCHEMES = {
  public: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        'One of API_TOKENS, a token created in the administration site, or the token of a session there. Without API_TOKENS, no token is required.',
    },
  },
  admin: {
    session: {
      type: 'http',
      scheme: 'bearer',
      description: 'The token of a session, from POST /admin/api/sessions/.',
    },
  },
};

/** The scan is the same for both documents and for every service of the process, and takes most of the time. */
let scanned: OpenAPIObject | undefined;

/**
 * Generates the OpenAPI 3.1 documents from the controllers and routes. Each document is generated when it is first
 * requested.
 */
@Injectable()
export class OpenApiService {
  readonly #json = new Map<DocumentName, Asset>();
  #yaml: Asset | undefined;
  #client: OpenAPIObject | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly modules: ModulesContainer,
    private readonly adapterHost: HttpAdapterHost,
    private readonly routeTable: RouteTable,
  ) {}

  json(name: DocumentName = 'public'): Asset {
    const made = this.#json.get(name) ?? toAsset(this.#describe(name), JSON_TYPE);
    this.#json.set(name, made);
    return made;
  }

  forClients(): OpenAPIObject {
    this.#client ??= clientDocument(JSON.parse(this.#describe('public')) as OpenAPIObject, CLIENT_INFO);
    return this.#client;
  }

  async yaml(): Promise<Asset> {
    if (!this.#yaml) {
      // Few clients request YAML, and loading the package would slow every start.
      const { stringify } = await import('yaml');
      this.#yaml = toAsset(stringify(JSON.parse(this.#describe('public')), { lineWidth: 0 }), YAML_TYPE);
    }
    return this.#yaml;
  }

  #describe(name: DocumentName): string {
    const { publicUrl, basePath } = this.settings;
    scanned ??= this.#scan();
    const tags = new Map(
      Object.values(scanned.paths)
        .flatMap((pathItem) => Object.values(pathItem) as { operationId: string; tags?: string[] }[])
        .map((operation) => [operation.operationId, operation.tags ?? []]),
    );
    const schemas = modernSchemas(scanned.components?.schemas as Schemas);
    const { paths, components } = shareComponents(
      completePaths(documentedRoutes(this.routeTable.routes, name), {
        schemas,
        maxBodyBytes: this.settings.maxBodyBytes,
        tagsOf: (operationId) => tags.get(operationId) ?? [],
        urlOf: (routeName, parameters) => EXAMPLE_BASE_URL + this.routeTable.pathOf(routeName, parameters),
      }),
      schemas,
    );
    const document = {
      openapi: '3.1.0',
      info: INFOS[name],
      servers: [{ url: publicUrl ?? (basePath || '/') }],
      tags: tagsOf(paths),
      // No security unless an operation declares it.
      security: [],
      paths,
      components: {
        ...components,
        securitySchemes: SECURITY_SCHEMES[name],
      },
    };
    // The examples show the address of this service.
    return JSON.stringify(document).replaceAll(EXAMPLE_BASE_URL, publicUrl ?? EXAMPLE_BASE_URL + basePath);
  }

  #scan(): OpenAPIObject {
    // Nest's scanner uses only these parts of the application, and a provider has no access to more.
    const app = {
      container: { getModules: () => this.modules },
      config: new ApplicationConfig(),
      getHttpAdapter: () => this.adapterHost.httpAdapter,
    } as unknown as INestApplication;
    const config = { openapi: '3.1.0', info: INFO };
    return SwaggerModule.createDocument(app, config, {
      autoTagControllers: false,
      extraModels: [ProblemDto, ...this.routeTable.routes.flatMap(modelsOfRoute)],
      operationIdFactory: (_controller, method) => method,
    });
  }
}

function modelsOfRoute({ parameters, operations }: Route): InputClass[] {
  const classes = Object.values(operations).flatMap(({ input, declaration }) => [
    input.query,
    ...modelsOf(declaration),
  ]);
  return [parameters, ...classes].filter((each) => each !== undefined);
}
