import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { PROBLEM_CODES, type ProblemCode } from '../problem-details/catalogue.js';
import { FAULT_CODES, type FaultCode } from '../problem-details/input-fault.js';
import { ClosedSchema } from './document-types.js';

/** The `code` of a fault. */
export const FaultCodeProperty = (): PropertyDecorator =>
  ApiProperty({
    enum: Object.keys(FAULT_CODES),
    enumName: 'FaultCode',
    description: 'What is wrong, for programs.',
    example: 'required',
  });

/** The `limit` of a fault. */
export const FaultLimitProperty = (): PropertyDecorator =>
  ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The most that is allowed; of `too_short` the least.',
    example: 200,
  });

@ClosedSchema('InputFault', 'One thing that is wrong with the input of a request, and its place.')
class InputFaultDto {
  @ApiProperty({ description: 'What is wrong, for people.', example: 'The field is required.' })
  detail!: string;

  @FaultCodeProperty()
  code!: FaultCode;

  @FaultLimitProperty()
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
  description: 'What went wrong (RFC 9457). Programs use `code`; the texts are for people.',
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
    description: 'What went wrong, for programs.',
    example: 'invalid-request',
  })
  code!: ProblemCode;

  @ApiProperty({
    description: 'The kind of problem; the same each time.',
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
    description: 'What happened this time.',
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
    description: 'The `X-Request-Id` under which the log has more.',
    example: '0b9f6f0e-5d1c-4f6a-9d0e-8f4c1c1f7a52',
  })
  request_id!: string;

  @ApiPropertyOptional({
    type: () => [InputFaultDto],
    description: 'All that is wrong with the input of the request.',
  })
  errors?: InputFaultDto[];
}
