import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { InputReader, NoQuery } from '../../http/input-reader.js';
import type { StreamedAnswer } from '../../http/streamed-answer.js';
import { TAGS } from '../../openapi/tags.js';
import { type BulkSelection, BulkDeletionsService } from '../../posts/bulk/bulk-deletions.service.js';
import { toFilter } from '../../posts/list-request.js';
import { answerProgress } from './bulk-deletion-answers.js';
import { checkSelection, CreateBulkDeletionDto } from './bulk-deletion.dto.js';
import { DocumentsDeleteInBulk } from './bulk-deletions.docs.js';

const createInput = new InputReader({ query: NoQuery, body: CreateBulkDeletionDto, check: checkSelection });

@ApiTags(TAGS.bulk)
@Controller('admin/api/bulk-deletions')
export class BulkDeletionsController {
  constructor(private readonly deletions: BulkDeletionsService) {}

  @Post()
  @HttpCode(200)
  @DocumentsDeleteInBulk()
  async deleteInBulk(@Req() { context }: Request): Promise<StreamedAnswer> {
    const { body } = createInput.read(context);
    return answerProgress(await this.deletions.prepare(toSelection(body), context.author));
  }
}

function toSelection({ ids, filter, count }: CreateBulkDeletionDto): BulkSelection {
  return ids ? { ids } : { filter: toFilter(filter!), count: count! };
}
