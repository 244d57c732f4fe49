import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Answer } from '../../http/answer.js';
import { noInput } from '../../http/input-reader.js';
import { TAGS } from '../../openapi/tags.js';
import { ImportChecksService } from '../../posts/import/import-checks.service.js';
import { answerJson } from '../json-answers.js';
import type { ImportCheckDto } from './import-check.dto.js';
import { DocumentsCheckImport } from './import-checks.docs.js';

@ApiTags(TAGS.bulk)
@Controller('admin/api/import-checks')
export class ImportChecksController {
  constructor(private readonly imports: ImportChecksService) {}

  @Post()
  @HttpCode(200)
  @DocumentsCheckImport()
  async checkImport(@Req() { context }: Request): Promise<Answer> {
    noInput.read(context);
    const check: ImportCheckDto = await this.imports.check(context.bodyStream!);
    return answerJson(check);
  }
}
