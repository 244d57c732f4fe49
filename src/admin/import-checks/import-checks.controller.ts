import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { NDJSON_TYPE } from '../../http/protocol/media-type.js';
import type { RequestBodyStream } from '../../http/request/body-stream.js';
import { BODY_MISSING } from '../../http/request/input-reader.js';
import { BodyStream } from '../../http/request/handler-arguments.js';
import { ImportsService } from '../../imports/imports.service.js';
import { UNKNOWN_PARAMETER } from '../../openapi/problem-response.js';
import { TAGS } from '../../openapi/tags.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { AdminOperation, aJson } from '../admin-operation.js';
import { ImportCheckDto, ImportFaultDto } from './import-check.dto.js';

@ApiTags(TAGS.bulk)
@Controller('admin/api/import-checks')
export class ImportChecksController {
  constructor(private readonly imports: ImportsService) {}

  @Post()
  @AdminOperation({
    name: 'admin-import-check-list',
    access: 'editor',
    streams: [NDJSON_TYPE],
    summary: 'Check an import',
    description:
      'Reads any number of posts, one a line, by the rules of `POST /posts/`, and stores nothing. The limit of a request holds for each line.',
    body: {
      content: {
        [NDJSON_TYPE]: {
          type: { type: 'string', description: 'One post a line. Blank lines are skipped.' },
          example: '{"title":"One","body":""}\n{"title":"","body":""}\n',
        },
      },
    },
    responses: {
      200: aJson('What was found.', ImportCheckDto, {
        lines: 2,
        faults: [
          {
            detail: 'The title must not be empty or only white space.',
            code: 'blank',
            line: 2,
            pointer: '/title',
          },
        ] satisfies ImportFaultDto[],
      }),
    },
    problems: { missingBody: new InvalidRequest([BODY_MISSING]), unknownParameter: UNKNOWN_PARAMETER },
  })
  checkImport(@BodyStream() lines: RequestBodyStream | undefined): Promise<ImportCheckDto> {
    if (!lines) throw new InvalidRequest([BODY_MISSING]);
    return this.imports.check(lines, lines.memory);
  }
}
