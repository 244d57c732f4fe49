import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags, type OpenAPIObject } from '@nestjs/swagger';
import { join } from 'node:path';
import { HTML_TYPE, JSON_TYPE } from '../http/protocol/index.js';
import {
  Access,
  type ApiResponse,
  AssetFolder,
  assetResponse,
  fileResponse,
  Operation,
  pageFields,
  type ResponseDocs,
  type UrlOf,
  UrlOfRoute,
} from '../http/index.js';
import { PACKAGE_FOLDER } from '../settings/package-info.js';
import { OpenApiService } from './openapi.service.js';
import { HTML_PAGE } from './operation-documents.js';

/** The folder into which `npm run build` puts the page, and the files that it loads. */
const BUILT = join(PACKAGE_FOLDER, 'dist/swagger-ui');

/**
 * The strictest policy under which Swagger UI works. It loads and requests only its own resources, and the page has no
 * inline script or style. The arrows and icons of its style sheet are `data:` images. `upgrade-insecure-requests` is
 * absent because the service also runs on plain http.
 */
const SOURCES = ["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"];

const DOCUMENT = { trailingSlash: false, ignoresQuery: true } as const;
const AS_JSON: ResponseDocs = {
  description: 'The OpenAPI 3.1 document.',
  content: { [JSON_TYPE]: { type: { type: 'object' }, example: { openapi: '3.1.0' } } },
};

/** Serves the OpenAPI documents, and Swagger UI, which shows them as forms. */
@ApiTags('discovery')
@Access({ anyone: 'They describe the API, and hold no data.' })
@Controller()
export class DocsController {
  /** Kept, because writing and compressing 200 kB takes several milliseconds. */
  #json: ApiResponse | undefined;
  #page: ApiResponse | undefined;
  readonly #assets = new AssetFolder(join(BUILT, 'assets'));

  constructor(private readonly openApi: OpenApiService) {}

  @Get('openapi.json')
  @Operation({
    ...DOCUMENT,
    name: 'openapi-json',
    summary: 'Read this description as JSON',
    description: 'For programs: linters, mock servers, gateways.',
    representation: AS_JSON,
  })
  getOpenApiJson(): ApiResponse {
    return (this.#json ??= assetResponse(JSON.stringify(this.openApi.full()), JSON_TYPE));
  }

  @Get('openapi-client.json')
  @Operation({
    ...DOCUMENT,
    name: 'openapi-client-json',
    summary: 'Read the description for client generators',
    description: 'The same API: JSON in and out, problems as errors, a name for each schema.',
    representation: AS_JSON,
  })
  getOpenApiClientJson(@UrlOfRoute() urlOf: UrlOf): OpenAPIObject {
    // Not all generators accept a relative address of the server.
    return { ...this.openApi.forClients(), servers: [{ url: urlOf('entry-point').replace(/\/$/, '') }] };
  }

  @Get('docs')
  @Operation({
    name: 'docs',
    summary: 'Show this page',
    description: 'Swagger UI: this description, and a form for each operation.',
    ignoresQuery: true,
    representation: { description: 'The page.', content: { [HTML_TYPE]: HTML_PAGE } },
  })
  getDocs(): ApiResponse {
    return (this.#page ??= fileResponse(join(BUILT, 'page.html'), pageFields(SOURCES)));
  }

  @Get('docs/:name')
  @Operation({ ...DOCUMENT, name: 'docs-assets' })
  getAsset(@Param('name') name: string): ApiResponse {
    return this.#assets.file(name);
  }
}
