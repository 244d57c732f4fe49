import { Controller, Get, Param } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags, type OpenAPIObject } from '@nestjs/swagger';
import { Operation, type OperationDeclaration } from '../http/pipeline/operation.decorator.js';
import { HTML_TYPE, JSON_TYPE, YAML_TYPE } from '../http/protocol/media-type.js';
import { FilePath } from '../http/request/validation.js';
import type { ApiResponse } from '../http/response/api-response.js';
import { assetResponse, toAsset } from '../http/response/document-response.js';
import { NotFound } from '../problem-details/problems.js';
import { TAGS } from './document-types.js';
import { OpenApiService } from './openapi.service.js';
import { PAGE_FIELDS, SwaggerUiAssets } from './swagger-ui-assets.js';

/** Declares an operation that serves an OpenAPI document. */
function openApiOperation(
  name: string,
  mediaType: typeof JSON_TYPE | typeof YAML_TYPE,
  description = 'For programs: linters, mock servers, gateways. It has the address and the limits of this service.',
  summary = `Read this description as ${mediaType === JSON_TYPE ? 'JSON' : 'YAML'}`,
): OperationDeclaration {
  const isJson = mediaType === JSON_TYPE;
  return {
    name,
    trailingSlash: false,
    ignoresQuery: true,
    summary,
    description,
    representation: {
      description: 'The OpenAPI 3.1 document.',
      content: {
        [mediaType]: isJson
          ? { type: { type: 'object' }, example: { openapi: '3.1.0' } }
          : { type: { type: 'string' }, example: 'openapi: 3.1.0\n' },
      },
    },
  };
}

/** Serves the OpenAPI documents, and Swagger UI, which shows them as forms. */
@ApiTags(TAGS.discovery)
@Controller()
export class DocsController {
  constructor(
    private readonly openApi: OpenApiService,
    private readonly assets: SwaggerUiAssets,
  ) {}

  @Get('openapi.json')
  @Operation(openApiOperation('openapi-json', JSON_TYPE))
  getOpenApiJson(): ApiResponse {
    return assetResponse(this.openApi.json());
  }

  @Get('openapi-client.json')
  @Operation({
    ...openApiOperation(
      'openapi-client-json',
      JSON_TYPE,
      'The same API for client generators: JSON in and out, problems as errors, a name for each schema.',
      'Read the description for client generators',
    ),
    // Not all generators accept a relative address of the server.
    respond: (document: OpenAPIObject, { baseUrl }) =>
      assetResponse(toAsset(JSON.stringify({ ...document, servers: [{ url: baseUrl }] }), JSON_TYPE)),
  })
  getOpenApiClientJson(): OpenAPIObject {
    return this.openApi.forClients();
  }

  @Get('openapi.yaml')
  @Operation(openApiOperation('openapi-yaml', YAML_TYPE))
  async getOpenApiYaml(): Promise<ApiResponse> {
    return assetResponse(await this.openApi.yaml());
  }

  @Get('docs')
  @Operation({
    name: 'docs',
    summary: 'Show this page',
    description: 'Swagger UI: this description, and a form for each operation.',
    ignoresQuery: true,
    representation: {
      description: 'The page.',
      headers: ['Cross-Origin-Opener-Policy', 'Permissions-Policy'],
      content: { [HTML_TYPE]: { type: { type: 'string' }, example: '<!doctype html>…' } },
    },
  })
  getDocs(): ApiResponse {
    return assetResponse(this.assets.page(), PAGE_FIELDS);
  }

  /** A file of Swagger UI. */
  @Get('docs/:name')
  @ApiExcludeEndpoint()
  @Operation({ name: 'docs-assets', trailingSlash: false, ignoresQuery: true })
  getAsset(@Param() { name }: FilePath): ApiResponse {
    const asset = this.assets.find(name);
    if (!asset) throw new NotFound();
    return assetResponse(asset, { Vary: 'Accept-Encoding' });
  }
}

/** Serves the OpenAPI document of /admin/api/. */
@ApiTags(TAGS.description)
@Controller('admin/api')
export class AdminDocsController {
  constructor(private readonly openApi: OpenApiService) {}

  @Get('openapi.json')
  @Operation(openApiOperation('admin-openapi-json', JSON_TYPE))
  getAdminOpenApiJson(): ApiResponse {
    return assetResponse(this.openApi.json('admin'));
  }
}
