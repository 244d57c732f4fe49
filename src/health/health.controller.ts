import { Controller, Get } from '@nestjs/common';
import { Answer } from '../http/answer.js';
import { JSON_TYPE } from '../http/media-types.js';
import type { HealthDto } from './health.dto.js';
import { HealthService } from './health.service.js';

@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  getLiveness(): Answer {
    return answerHealth({ status: 'ok' });
  }

  @Get('ready')
  async getReadiness(): Promise<Answer> {
    return answerHealth(await this.health.readiness());
  }
}

function answerHealth(health: HealthDto): Answer {
  return new Answer({
    status: health.status === 'ok' ? 200 : 503,
    headers: {
      'Content-Type': JSON_TYPE,
      'Cache-Control': 'no-store',
      Vary: 'Accept, Accept-Encoding',
      ...(health.status === 'ok' ? {} : { 'Retry-After': '1' }),
    },
    body: JSON.stringify(health),
  });
}
