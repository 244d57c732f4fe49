import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DATABASE_BUSY } from '../../openapi/problem-response.js';
import { TAGS } from '../../openapi/tags.js';
import { ExcerptsService } from '../../posts/overview/excerpts.service.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { AdminOperation, aJson } from '../admin-operation.js';
import { ExcerptDto } from './excerpt.dto.js';
import { checkNamesPosts, ExcerptsQuery } from './excerpts.query.js';

@ApiTags(TAGS.overview)
@Controller('admin/api/excerpts')
export class ExcerptsController {
  constructor(private readonly excerpts: ExcerptsService) {}

  @Get()
  @AdminOperation({
    name: 'admin-excerpt-list',
    access: 'viewer',
    summary: 'Read how posts begin',
    check: checkNamesPosts,
    responses: {
      200: aJson(
        'In the order of the ids, without those that are no post.',
        [ExcerptDto],
        [{ id: 7, excerpt: 'Fog in the morning, sun by noon, and a heron that would not move.' }],
      ),
    },
    problems: {
      missingIds: new InvalidRequest([
        { detail: 'The ids of the posts are required.', code: 'required', parameter: 'id' },
      ]),
      databaseBusy: DATABASE_BUSY,
    },
  })
  listExcerpts(@Query() { id }: ExcerptsQuery): Promise<readonly ExcerptDto[]> {
    return this.excerpts.find(id!.map(Number));
  }
}
