import { Controller, Post } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { NDJSON_TYPE } from '../http/protocol/media-type.js';
import type { RequestBodyStream } from '../http/request/body-bytes.js';
import { BodyStream } from '../http/request/handler-arguments.js';
import { BODY_MISSING } from '../http/request/input-reader.js';
import { ImportsService } from '../imports/imports.service.js';
import { ClosedSchema } from '../openapi/document-types.js';
import { FaultCodeProperty, FaultLimitProperty, UNKNOWN_PARAMETER } from '../openapi/problem-response.js';
import type { FaultCode } from '../problem-details/problem.js';
import { InvalidRequest } from '../problem-details/problems.js';
import { AdminOperation, aJson } from './admin-operation.js';

@ClosedSchema('ImportFault', 'A fault of a line.')
class ImportFaultDto {
  @ApiProperty({ type: String, example: 'The field is required.' })
  detail!: string;

  @FaultCodeProperty()
  code!: FaultCode;

  @FaultLimitProperty()
  limit?: number | undefined;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'From 1; blank lines count.', example: 3 })
  line!: number;

  @ApiPropertyOptional({
    type: String,
    description: 'A JSON Pointer (RFC 6901) to the member of the line; empty for the line as a whole.',
    example: '/title',
  })
  pointer?: string;
}

@ClosedSchema('ImportCheck', 'The result of a check.')
export class ImportCheckDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'The number of lines that are not blank.',
    example: 1000,
  })
  lines!: number;

  @ApiProperty({
    type: [ImportFaultDto],
    description: 'The first thousand faults; empty when all posts could be imported.',
  })
  faults!: readonly ImportFaultDto[];
}

@ApiTags('bulk')
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
