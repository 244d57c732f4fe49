import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Context, InputPipe, NoQuery } from '../../http/input.pipe.js';
import type { RequestContext } from '../../http/request-context.js';
import type { StreamedAnswer } from '../../http/streamed-answer.js';
import { TAGS } from '../../openapi/tags.js';
import { type BulkSelection, BulkDeletionsService } from '../../posts/bulk/bulk-deletions.service.js';
import { toFilter } from '../../posts/list-request.js';
import { answerProgress } from './bulk-deletion-answers.js';
import { checkSelection, CreateBulkDeletionDto } from './bulk-deletion.dto.js';
import { DocumentsDeleteInBulk } from './bulk-deletions.docs.js';

const createInput = new InputPipe({ query: NoQuery, body: CreateBulkDeletionDto, check: checkSelection });

@ApiTags(TAGS.bulk)
@Controller('admin/api/bulk-deletions')
export class BulkDeletionsController {
  constructor(private readonly deletions: BulkDeletionsService) {}

  @Post()
  @HttpCode(200)
  @DocumentsDeleteInBulk()
  async deleteInBulk(@Context() context: RequestContext): Promise<StreamedAnswer> {
    const { body } = createInput.transform(context);
    return answerProgress(await this.deletions.prepare(toSelection(body), context.author));
  }
}

function toSelection({ ids, filter, count }: CreateBulkDeletionDto): BulkSelection {
  return ids ? { ids } : { filter: toFilter(filter!), count: count! };
}
