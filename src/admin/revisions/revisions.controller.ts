import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Answer } from '../../http/answer.js';
import { Context, InputPipe, noInput } from '../../http/input.pipe.js';
import type { RequestContext } from '../../http/request-context.js';
import { TAGS } from '../../openapi/tags.js';
import { HistoryService } from '../../posts/history/history.service.js';
import { answerJson } from '../json-answers.js';
import { answerList } from '../list-answers.js';
import { checkKeysetCursor, KeysetQuery, toKeysetRequest } from '../keyset.query.js';
import { RevisionDto, WholeRevisionDto } from './revision.dto.js';
import { DocumentsGetRevision, DocumentsListRevisions } from './revisions.docs.js';

const listInput = new InputPipe({ query: KeysetQuery, check: checkKeysetCursor });

@ApiTags(TAGS.history)
@Controller('admin/api/posts/:id/revisions')
export class RevisionsController {
  constructor(private readonly history: HistoryService) {}

  @Get()
  @DocumentsListRevisions()
  async listRevisions(@Context() context: RequestContext): Promise<Answer> {
    const { query } = listInput.transform(context);
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
  async getRevision(@Context() context: RequestContext): Promise<Answer> {
    noInput.transform(context);
    const { id, number } = context.parameters;
    return answerJson(
      WholeRevisionDto.from(await this.history.findRevisionOrFail(Number(id), Number(number))),
    );
  }
}
