import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Answer } from '../../http/answer.js';
import { Context, InputPipe } from '../../http/input.pipe.js';
import type { RequestContext } from '../../http/request-context.js';
import { TAGS } from '../../openapi/tags.js';
import { ExcerptsService } from '../../posts/overview/excerpts.service.js';
import { answerJson } from '../json-answers.js';
import { DocumentsListExcerpts } from './excerpts.docs.js';
import { checkNamesPosts, ExcerptsQuery } from './excerpts.query.js';

const listInput = new InputPipe({ query: ExcerptsQuery, check: checkNamesPosts });

@ApiTags(TAGS.overview)
@Controller('admin/api/excerpts')
export class ExcerptsController {
  constructor(private readonly excerpts: ExcerptsService) {}

  @Get()
  @DocumentsListExcerpts()
  async listExcerpts(@Context() context: RequestContext): Promise<Answer> {
    const { query } = listInput.transform(context);
    return answerJson(await this.excerpts.find(query.id!.map(Number)));
  }
}
