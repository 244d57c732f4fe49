import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { PROBLEM_CODES, type ProblemCode } from '../problem-details/catalogue.js';
import { FAULT_CODES, type FaultCode } from '../problem-details/problem.js';
import { ClosedSchema } from './document-types.js';

@ClosedSchema('InputFault', 'One fault of the input, and its place.')
class InputFaultDto {
  @ApiProperty({ description: 'An explanation for people.', example: 'The field is required.' })
  detail!: string;

  @ApiProperty({
    enum: Object.keys(FAULT_CODES),
    enumName: 'FaultCode',
    description: 'The kind of fault, for programs.',
    example: 'required',
  })
  code!: FaultCode;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The maximum that is allowed; for `too_short` the minimum.',
    example: 200,
  })
  limit?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The line of an import.',
    example: 3,
  })
  line?: number;

  @ApiPropertyOptional({
    description: 'The place in the body, or in the line, as a JSON Pointer (RFC 6901).',
    example: '/title',
  })
  pointer?: string;

  @ApiPropertyOptional({
    description: 'The parameter of the path or the query.',
    example: 'limit',
  })
  parameter?: string;

  @ApiPropertyOptional({ description: 'The header field.', example: 'If-Match' })
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
    example: 'http://127.0.0.1:3000/problems/invalid-request/',
  })
  type!: string;

  @ApiProperty({
    enum: PROBLEM_CODES,
    enumName: 'ProblemCode',
    description: 'The kind of problem, for programs.',
    example: 'invalid-request',
  })
  code!: ProblemCode;

  @ApiProperty({
    description: 'The name of the kind of problem; always the same.',
    example: 'Invalid request',
  })
  title!: string;

  @ApiProperty({
    type: 'integer',
    minimum: 400,
    maximum: 599,
    description: 'The status of the response.',
    example: 400,
  })
  status!: number;

  @ApiProperty({
    description: 'The details of this occurrence.',
    example: 'The request has one fault; nothing was changed.',
  })
  detail!: string;

  @ApiProperty({
    format: 'uri-reference',
    description: 'The path of the request, with the public prefix of the service.',
    example: '/posts/',
  })
  instance!: string;

  @ApiProperty({
    description: 'The `X-Request-Id`, which the log has too.',
    example: '0b9f6f0e-5d1c-4f6a-9d0e-8f4c1c1f7a52',
  })
  request_id!: string;

  @ApiPropertyOptional({
    type: () => [InputFaultDto],
    description: 'All faults of the input.',
  })
  errors?: InputFaultDto[];
}
