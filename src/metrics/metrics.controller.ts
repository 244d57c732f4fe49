import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answer } from '../http/answer.js';
import { PROMETHEUS_TYPE } from '../http/media-types.js';
import { TAGS } from '../openapi/tags.js';
import { DocumentsMetrics } from './metrics.docs.js';
import { Metrics } from './metrics.js';

@ApiTags(TAGS.operations)
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @DocumentsMetrics()
  async getMetrics(): Promise<Answer> {
    return new Answer({
      status: 200,
      headers: {
        'Content-Type': `${PROMETHEUS_TYPE}; version=0.0.4; charset=utf-8`,
        'Cache-Control': 'no-store',
        Vary: 'Accept, Accept-Encoding',
      },
      body: await this.metrics.text(),
    });
  }
}
