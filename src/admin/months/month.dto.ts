import { ApiProperty } from '@nestjs/swagger';
import { ClosedSchema } from '../../openapi/document-types.js';

@ClosedSchema('Month', 'How many posts are of a month.')
export class MonthDto {
  @ApiProperty({
    type: String,
    pattern: String.raw`^\d{4}-(?:0[1-9]|1[0-2])$`,
    description: 'In the time zone that was asked for.',
    example: '2026-11',
  })
  month!: string;

  @ApiProperty({ type: 'integer', minimum: 0, example: 12 })
  posts!: number;
}
