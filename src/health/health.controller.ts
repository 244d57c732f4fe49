import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../http/pipeline/operation.decorator.js';
import { JSON_TYPE } from '../http/protocol/media-type.js';
import { ApiResponse } from '../http/response/api-response.js';
import type { ResponseHeader } from '../openapi/header-fields.js';
import type { ResponseDocs } from '../openapi/operation-docs.js';
import { HealthDto, HealthService } from './health.service.js';

@ApiTags('operations')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Operation({
    name: 'health-live',
    isOperational: true,
    answersAnyHost: true,
    trailingSlash: false,
    ignoresQuery: true,
    summary: 'Check whether the process runs',
    description: 'For a process supervisor: it does not query the database.',
    responses: { 200: aHealth('The process runs.', { status: 'ok' }) },
  })
  getLiveness(): ApiResponse {
    return healthResponse({ status: 'ok' });
  }

  @Get('ready')
  @Operation({
    name: 'health-ready',
    isOperational: true,
    answersAnyHost: true,
    trailingSlash: false,
    ignoresQuery: true,
    summary: 'Check whether the service can take requests',
    description:
      'For proxies and orchestrators. The service recovers without a restart. A database ' +
      'that is full or read-only still serves reads: that is a 200 with `writes`.',
    responses: {
      200: aHealth('The service can take requests.', { status: 'ok' }),
      503: aHealth(
        'The database does not respond, or the service is stopping.',
        { status: 'error', detail: 'The database does not respond.' },
        ['Retry-After'],
      ),
    },
  })
  async getReadiness(): Promise<ApiResponse> {
    return healthResponse(await this.health.readiness());
  }
}

function healthResponse(health: HealthDto): ApiResponse {
  return new ApiResponse({
    status: health.status === 'ok' ? 200 : 503,
    headers: {
      'Content-Type': JSON_TYPE,
      'Cache-Control': 'no-store',
      ...(health.status === 'ok' ? {} : { 'Retry-After': '1' }),
    },
    body: JSON.stringify(health),
  });
}

function aHealth(
  description: string,
  example: HealthDto,
  moreHeaders: readonly ResponseHeader[] = [],
): ResponseDocs {
  return {
    description,
    headers: moreHeaders,
    content: { [JSON_TYPE]: { type: HealthDto, example } },
  };
}
