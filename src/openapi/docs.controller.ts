import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Operation } from '../http/request/operation.decorator.js';
import { HTML_TYPE, JSON_TYPE, YAML_TYPE } from '../http/protocol/media-type.js';
import { BaseUrl } from '../http/request/handler-arguments.js';
import { FilePath } from '../http/request/validation.js';
import type { ApiResponse } from '../http/response/api-response.js';
import { assetResponse, fileResponse } from '../http/response/asset-response.js';
import { pageFields } from '../http/response/security-fields.js';
import { NotFound } from '../problem-details/problems.js';
import { PACKAGE_FOLDER } from './info.js';
import { OpenApiService } from './openapi.service.js';
import type { ResponseDocs } from './operation-docs.js';

/** The path is resolved here because the package's own module would load all of Swagger UI into this process. */
const PACKAGE = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** The folder into which `npm run build` writes our own files. */
const BUILT = join(PACKAGE_FOLDER, 'dist/swagger-ui');

/** The page, and the files that it loads; no other file of the package is served. */
const FILES: ReadonlyMap<string, string> = new Map([
  ['', join(BUILT, 'page.html')],
  ['swagger-ui-bundle.js', join(PACKAGE, 'swagger-ui-bundle.js')],
  ['swagger-ui.css', join(PACKAGE, 'swagger-ui.css')],
  ['main.js', join(BUILT, 'main.js')],
  ['page.css', join(BUILT, 'page.css')],
  ['favicon.svg', join(BUILT, 'icon-1.svg')],
]);

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
@Controller()
export class DocsController {
  /** The files of Swagger UI that have been requested, by name. */
  readonly #assets = new Map<string, ApiResponse>();

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
    return this.openApi.json();
  }

  @Get('openapi-client.json')
  @Operation({
    ...DOCUMENT,
    name: 'openapi-client-json',
    summary: 'Read the description for client generators',
    description: 'The same API: JSON in and out, problems as errors, a name for each schema.',
    representation: AS_JSON,
  })
  getOpenApiClientJson(@BaseUrl() baseUrl: string): ApiResponse {
    // Not all generators accept a relative address of the server.
    const document = { ...this.openApi.forClients(), servers: [{ url: baseUrl }] };
    return assetResponse(JSON.stringify(document), JSON_TYPE);
  }

  @Get('openapi.yaml')
  @Operation({
    ...DOCUMENT,
    name: 'openapi-yaml',
    summary: 'Read this description as YAML',
    description: 'For programs and people.',
    representation: {
      description: 'The OpenAPI 3.1 document.',
      content: { [YAML_TYPE]: { type: { type: 'string' }, example: 'openapi: 3.1.0\n' } },
    },
  })
  getOpenApiYaml(): Promise<ApiResponse> {
    return this.openApi.yaml();
  }

  @Get('docs')
  @Operation({
    name: 'docs',
    summary: 'Show this page',
    description: 'Swagger UI: this description, and a form for each operation.',
    ignoresQuery: true,
    representation: {
      description: 'The page.',
      content: { [HTML_TYPE]: { type: { type: 'string' }, example: '<!doctype html>…' } },
    },
  })
  getDocs(): ApiResponse {
    return this.getAsset({ name: '' });
  }

  @Get('docs/:name')
  @Operation({ ...DOCUMENT, name: 'docs-assets' })
  getAsset(@Param() { name }: FilePath): ApiResponse {
    const path = FILES.get(name);
    if (path === undefined) throw new NotFound();
    const asset = this.#assets.get(name) ?? fileResponse(path, name === '' ? pageFields(SOURCES) : {});
    this.#assets.set(name, asset);
    return asset;
  }
}
