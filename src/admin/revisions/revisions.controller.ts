import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Answer } from '../../http/answer.js';
import { InputReader, noInput } from '../../http/input-reader.js';
import { TAGS } from '../../openapi/tags.js';
import { HistoryService } from '../../posts/history/history.service.js';
import { answerJson } from '../json-answers.js';
import { answerList } from '../list-answers.js';
import { checkKeysetCursor, KeysetQuery, toKeysetRequest } from '../keyset.query.js';
import { RevisionDto, WholeRevisionDto } from './revision.dto.js';
import { DocumentsGetRevision, DocumentsListRevisions } from './revisions.docs.js';

const listInput = new InputReader({ query: KeysetQuery, check: checkKeysetCursor });

@ApiTags(TAGS.history)
@Controller('admin/api/posts/:id/revisions')
export class RevisionsController {
  constructor(private readonly history: HistoryService) {}

  @Get()
  @DocumentsListRevisions()
  async listRevisions(@Req() { context }: Request): Promise<Answer> {
    const { query } = listInput.read(context);
    const request = toKeysetRequest(query, context.fullPath);
    const page = await this.history.revisionsOf(Number(context.parameters['id']), request);
    return answerList(
      page.rows.map((revision) => RevisionDto.from(revision)),
      page,
      query,
      context,
    );
  }

  @Get(':number')
  @DocumentsGetRevision()
  async getRevision(@Req() { context }: Request): Promise<Answer> {
    noInput.read(context);
    const { id, number } = context.parameters;
    return answerJson(
      WholeRevisionDto.from(await this.history.findRevisionOrFail(Number(id), Number(number))),
    );
  }
}
