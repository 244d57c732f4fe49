import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Answer } from '../../http/answer.js';
import { noInput } from '../../http/input-reader.js';
import { TAGS } from '../../openapi/tags.js';
import { ChangeDto } from '../changes/change.dto.js';
import { answerJson } from '../json-answers.js';
import { DocumentsGetDashboard } from './dashboard.docs.js';
import type { DashboardDto } from './dashboard.dto.js';
import { type Dashboard, DashboardService } from './dashboard.service.js';

@ApiTags(TAGS.overview)
@Controller('admin/api/dashboard')
export class DashboardController {
  constructor(private readonly dashboard: DashboardService) {}

  @Get()
  @DocumentsGetDashboard()
  async getDashboard(@Req() { context }: Request): Promise<Answer> {
    noInput.read(context);
    return answerJson(toDto(await this.dashboard.read()));
  }
}

function toDto({ posts, version, startedAt, database, health, months, changes }: Dashboard): DashboardDto {
  return {
    posts,
    version,
    started_at: startedAt,
    database: { kind: database.kind, size_bytes: database.bytes },
    health,
    posts_per_month: months,
    latest_changes: changes.map((change) => ChangeDto.from(change)),
  };
}
