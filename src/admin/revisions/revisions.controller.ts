import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListPath } from '../../http/request/handler-arguments.js';
import { IdPath } from '../../http/request/validation.js';
import { DATABASE_BUSY, UNKNOWN_PARAMETER } from '../../openapi/problem-response.js';
import { TAGS } from '../../openapi/tags.js';
import { PostPath } from '../../posts/post-target.js';
import { HistoryService, RevisionNotFound } from '../../history/history.service.js';
import { Page } from '../../http/response/document-response.js';
import { AdminOperation, aJson, aList, FAULTY_LIST_QUERY } from '../admin-operation.js';
import { FIRST_REVISION, REVISION, WHOLE_REVISION } from '../history-examples.js';
import { checkKeysetCursor, KeysetQuery, toKeysetRequest } from '../../http/request/keyset-page.js';
import { RevisionDto, WholeRevisionDto } from './revision.dto.js';

class RevisionPath extends PostPath {
  @IdPath({ description: 'The number of the revision.', example: 2 })
  number!: number;
}

@ApiTags(TAGS.history)
@Controller('admin/api/posts/:id/revisions')
export class RevisionsController {
  constructor(private readonly history: HistoryService) {}

  @Get()
  @AdminOperation({
    name: 'admin-revision-list',
    access: 'viewer',
    summary: 'List what a post was',
    description:
      'Newest first, also of a deleted post. Revisions whose content is kept no more (HISTORY_DAYS) are not there.',
    check: checkKeysetCursor,
    responses: {
      200: aList('The revisions, without their bodies.', RevisionDto, [REVISION, FIRST_REVISION]),
    },
    problems: {
      faultyQuery: FAULTY_LIST_QUERY,
      unknownPost: new RevisionNotFound(7),
      databaseBusy: DATABASE_BUSY,
    },
  })
  async listRevisions(
    @Param() { id }: PostPath,
    @Query() query: KeysetQuery,
    @ListPath() path: string,
  ): Promise<Page> {
    const page = await this.history.revisionsOf(id, toKeysetRequest(query, path));
    return new Page(
      page.rows.map((revision) => RevisionDto.from(revision)),
      page,
    );
  }

  @Get(':number')
  @AdminOperation({
    name: 'admin-revision-detail',
    access: 'viewer',
    summary: 'Read what a post was',
    responses: { 200: aJson('The revision.', WholeRevisionDto, WHOLE_REVISION) },
    problems: {
      unknownParameter: UNKNOWN_PARAMETER,
      unknownRevision: new RevisionNotFound(7, 2),
      databaseBusy: DATABASE_BUSY,
    },
  })
  async getRevision(@Param() { id, number }: RevisionPath): Promise<WholeRevisionDto> {
    return WholeRevisionDto.from(await this.history.findRevisionOrFail(id, number));
  }
}
