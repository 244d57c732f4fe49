import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Answer } from '../../http/answer.js';
import { InputReader } from '../../http/input-reader.js';
import { TAGS } from '../../openapi/tags.js';
import { ExcerptsService } from '../../posts/overview/excerpts.service.js';
import { answerJson } from '../json-answers.js';
import { DocumentsListExcerpts } from './excerpts.docs.js';
import { checkNamesPosts, ExcerptsQuery } from './excerpts.query.js';

const listInput = new InputReader({ query: ExcerptsQuery, check: checkNamesPosts });

@ApiTags(TAGS.overview)
@Controller('admin/api/excerpts')
export class ExcerptsController {
  constructor(private readonly excerpts: ExcerptsService) {}

  @Get()
  @DocumentsListExcerpts()
  async listExcerpts(@Req() { context }: Request): Promise<Answer> {
    const { query } = listInput.read(context);
    return answerJson(await this.excerpts.find(query.id!.map(Number)));
  }
}
