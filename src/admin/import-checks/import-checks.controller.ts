import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Answer } from '../../http/answer.js';
import { Context, noInput } from '../../http/input.pipe.js';
import type { RequestContext } from '../../http/request-context.js';
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
  async checkImport(@Context() context: RequestContext): Promise<Answer> {
    noInput.transform(context);
    const check: ImportCheckDto = await this.imports.check(context.bodyStream!);
    return answerJson(check);
  }
}
