import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Answer } from '../../http/answer.js';
import { InputReader } from '../../http/input-reader.js';
import { TAGS } from '../../openapi/tags.js';
import { HistoryService } from '../../posts/history/history.service.js';
import { answerList } from '../list-answers.js';
import { checkKeysetCursor, toKeysetRequest } from '../keyset.query.js';
import { ChangeDto } from './change.dto.js';
import { DocumentsListChanges } from './changes.docs.js';
import { ChangesQuery, toChangeFilter } from './changes.query.js';

const listInput = new InputReader({ query: ChangesQuery, check: checkKeysetCursor });

@ApiTags(TAGS.history)
@Controller('admin/api/changes')
export class ChangesController {
  constructor(private readonly history: HistoryService) {}

  @Get()
  @DocumentsListChanges()
  async listChanges(@Req() { context }: Request): Promise<Answer> {
    const { query } = listInput.read(context);
    const request = toKeysetRequest(query, context.fullPath);
    const page = await this.history.changesOf(toChangeFilter(query), request);
    return answerList(
      page.rows.map((change) => ChangeDto.from(change)),
      page,
      query,
      context,
    );
  }
}
