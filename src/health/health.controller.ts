import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { JSON_TYPE } from '../http/protocol/index.js';
import { Access, ApiResponse, Operation } from '../http/index.js';
import { HealthDto, HealthService, NO_DATABASE } from './health.service.js';

const PROBE = {
  isOperational: true,
  answersAnyHost: true,
  trailingSlash: false,
  ignoresQuery: true,
} as const;

@ApiTags('operations')
@Access({ anyone: 'Probes have no token.' })
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Operation({
    ...PROBE,
    name: 'health-live',
    summary: 'Check whether the process runs',
    description: 'For a process supervisor: it does not query the database.',
    responses: { 200: { description: 'The process runs.', content: { [JSON_TYPE]: { type: HealthDto } } } },
  })
  getLiveness(): ApiResponse {
    return healthResponse({ status: 'ok' });
  }

  @Get('ready')
  @Operation({
    ...PROBE,
    name: 'health-ready',
    summary: 'Check whether the service can take requests',
    description:
      'For proxies and orchestrators. The service recovers without a restart. A database ' +
      'that is full or read-only still serves reads: that is a 200 with `writes`.',
    responses: {
      200: { description: 'The service can take requests.', content: { [JSON_TYPE]: { type: HealthDto } } },
      503: {
        description: 'The database does not respond, or the service is stopping.',
        headers: ['Retry-After'],
        content: { [JSON_TYPE]: { type: HealthDto, example: { status: 'error', detail: NO_DATABASE } } },
      },
    },
  })
  async getReadiness(): Promise<ApiResponse> {
    return healthResponse(await this.health.readiness());
  }
}

function healthResponse(health: HealthDto): ApiResponse {
  const isOk = health.status === 'ok';
  return new ApiResponse({
    status: isOk ? 200 : 503,
    headers: { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', ...(!isOk && { 'Retry-After': '1' }) },
    body: JSON.stringify(health),
  });
}
