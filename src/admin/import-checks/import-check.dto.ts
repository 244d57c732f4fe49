import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ClosedSchema } from '../../openapi/document-types.js';
import { FaultCodeProperty, FaultLimitProperty } from '../../openapi/problem.dto.js';
import type { FaultCode } from '../../problem-details/input-fault.js';

@ClosedSchema('ImportFault', 'What is wrong with a line.')
export class ImportFaultDto {
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

@ClosedSchema('ImportCheck', 'What an import would meet with.')
export class ImportCheckDto {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Without the blank ones.', example: 1000 })
  lines!: number;

  @ApiProperty({
    type: [ImportFaultDto],
    description: 'The first thousand; none when all could be imported.',
  })
  faults!: readonly ImportFaultDto[];
}
