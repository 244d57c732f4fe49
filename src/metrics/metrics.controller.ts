import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, ApiResponse, Operation } from '../http/index.js';
import { Metrics } from './metrics.js';

const PROMETHEUS_TYPE = 'text/plain';

@ApiTags('operations')
@Access({ anyone: 'Monitoring has no token; the proxy in front may refuse it to others.' })
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Operation({
    name: 'metrics',
    isOperational: true,
    trailingSlash: false,
    ignoresQuery: true,
    summary: 'Show metrics',
    description: 'For Prometheus and compatible programs.',
    responses: {
      200: {
        description: 'Metrics of requests, the database and the process, in Prometheus’ text format.',
        content: {
          [PROMETHEUS_TYPE]: {
            type: { type: 'string' },
            example: 'posts_http_requests_total{method="GET",route="/posts/",status="200"} 7\n',
          },
        },
      },
    },
  })
  async getMetrics(): Promise<ApiResponse> {
    return new ApiResponse({
      headers: {
        'Content-Type': `${PROMETHEUS_TYPE}; version=0.0.4; charset=utf-8`,
        'Cache-Control': 'no-store',
      },
      body: await this.metrics.text(),
    });
  }
}
