import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ClosedSchema } from '../openapi/schema.decorator.js';

const STATUSES = ['ok', 'error'] as const;

@ClosedSchema('Health', 'Whether the service can be given requests.')
export class HealthDto {
  @ApiProperty({ enum: STATUSES, example: 'ok' })
  status!: (typeof STATUSES)[number];

  @ApiPropertyOptional({ type: String, description: 'What is the matter, when the status is error.' })
  detail?: string;
}
