import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Answer } from '../../http/answer.js';
import { Context, InputPipe } from '../../http/input.pipe.js';
import type { RequestContext } from '../../http/request-context.js';
import { TAGS } from '../../openapi/tags.js';
import { toFilter } from '../../posts/list-request.js';
import { MonthsService } from '../../posts/overview/months.service.js';
import { answerJson } from '../json-answers.js';
import { DocumentsListMonths } from './months.docs.js';
import { MonthsQuery } from './months.query.js';

const listInput = new InputPipe({ query: MonthsQuery });

@ApiTags(TAGS.overview)
@Controller('admin/api/months')
export class MonthsController {
  constructor(private readonly months: MonthsService) {}

  @Get()
  @DocumentsListMonths()
  async listMonths(@Context() context: RequestContext): Promise<Answer> {
    const { query } = listInput.transform(context);
    return answerJson(await this.months.count(toFilter(query)));
  }
}
