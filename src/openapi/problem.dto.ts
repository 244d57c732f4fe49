import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { FAULT_CODES, type FaultCode } from '../problem-details/index.js';
import { ClosedSchema } from './document-types.js';

const COUNT = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;

@ClosedSchema('InputFault', 'One fault of the input, and its place.')
class InputFaultDto {
  @ApiProperty({ description: 'An explanation for people.' })
  detail!: string;

  @ApiProperty({ enum: Object.keys(FAULT_CODES), enumName: 'FaultCode', description: 'The kind of fault.' })
  code!: FaultCode;

  @ApiPropertyOptional({ ...COUNT, description: 'The maximum that is allowed; for `too_short` the minimum.' })
  limit?: number;

  @ApiPropertyOptional({ ...COUNT, description: 'The line of an import.' })
  line?: number;

  @ApiPropertyOptional({
    description: 'The place in the body, or in the line, as a JSON Pointer (RFC 6901).',
  })
  pointer?: string;

  @ApiPropertyOptional({ description: 'The parameter of the path or the query.' })
  parameter?: string;

  @ApiPropertyOptional({ description: 'The header field.' })
  header?: string;
}

@ApiSchema({
  name: 'Problem',
  description: 'A problem (RFC 9457). Programs use `code`; the texts are for people.',
})
export class ProblemDto {
  @ApiProperty({
    // Relative when a malformed Host leaves the base URL unknown.
    format: 'uri-reference',
    description: 'A URL that returns an explanation, or `about:blank` when the status needs none.',
  })
  type!: string;

  @ApiProperty({
    // openapi.service.ts lists them: not all rooms have added theirs yet.
    enum: ['internal-server-error'],
    enumName: 'ProblemCode',
    description: 'The kind of problem, for programs.',
  })
  code!: string;

  @ApiProperty({ description: 'The name of the kind of problem; always the same.' })
  title!: string;

  @ApiProperty({ type: 'integer', minimum: 400, maximum: 599, description: 'The status of the response.' })
  status!: number;

  @ApiProperty({ description: 'The details of this occurrence.' })
  detail!: string;

  @ApiProperty({
    format: 'uri-reference',
    description: 'The path of the request, with the public prefix of the service.',
  })
  instance!: string;

  @ApiProperty({ description: 'The `X-Request-Id`, which the log has too.' })
  request_id!: string;

  @ApiPropertyOptional({ type: [InputFaultDto], description: 'All faults of the input.' })
  errors?: InputFaultDto[];
}
