import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListPath } from '../../http/request/handler-arguments.js';
import { DATABASE_BUSY } from '../../openapi/problem-response.js';
import { TAGS } from '../../openapi/tags.js';
import { HistoryService } from '../../history/history.service.js';
import { Page } from '../../http/response/document-response.js';
import { AdminOperation, aList, FAULTY_LIST_QUERY } from '../admin-operation.js';
import { CHANGE, IMPORT } from '../history-examples.js';
import { checkKeysetCursor, toKeysetRequest } from '../../http/request/keyset-page.js';
import { ChangeDto } from './change.dto.js';
import { ChangesQuery, toChangeFilter } from './changes.query.js';

@ApiTags(TAGS.history)
@Controller('admin/api/changes')
export class ChangesController {
  constructor(private readonly history: HistoryService) {}

  @Get()
  @AdminOperation({
    name: 'admin-change-list',
    access: 'viewer',
    summary: 'List what was changed',
    description:
      'The log of all changes, whatever way they came in, newest first. Posts that one author made together are one entry, and so is an import.',
    check: checkKeysetCursor,
    responses: { 200: aList('The entries.', ChangeDto, [CHANGE, IMPORT]) },
    problems: { faultyQuery: FAULTY_LIST_QUERY, databaseBusy: DATABASE_BUSY },
  })
  async listChanges(@Query() query: ChangesQuery, @ListPath() path: string): Promise<Page> {
    const page = await this.history.changesOf(toChangeFilter(query), toKeysetRequest(query, path));
    return new Page(
      page.rows.map((change) => ChangeDto.from(change)),
      page,
    );
  }
}
