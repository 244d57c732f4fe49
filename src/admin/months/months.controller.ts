import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Answer } from '../../http/answer.js';
import { InputReader } from '../../http/input-reader.js';
import { TAGS } from '../../openapi/tags.js';
import { toFilter } from '../../posts/list-request.js';
import { MonthsService } from '../../posts/overview/months.service.js';
import { answerJson } from '../json-answers.js';
import { DocumentsListMonths } from './months.docs.js';
import { MonthsQuery } from './months.query.js';

const listInput = new InputReader({ query: MonthsQuery });

@ApiTags(TAGS.overview)
@Controller('admin/api/months')
export class MonthsController {
  constructor(private readonly months: MonthsService) {}

  @Get()
  @DocumentsListMonths()
  async listMonths(@Req() { context }: Request): Promise<Answer> {
    const { query } = listInput.read(context);
    return answerJson(await this.months.count(toFilter(query)));
  }
}
