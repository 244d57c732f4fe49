import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answer } from '../http/answer.js';
import { JSON_TYPE } from '../http/media-types.js';
import { TAGS } from '../openapi/tags.js';
import { DocumentsLiveness, DocumentsReadiness } from './health.docs.js';
import type { HealthDto } from './health.dto.js';
import { HealthService } from './health.service.js';

@ApiTags(TAGS.operations)
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @DocumentsLiveness()
  getLiveness(): Answer {
    return answerHealth({ status: 'ok' });
  }

  @Get('ready')
  @DocumentsReadiness()
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
