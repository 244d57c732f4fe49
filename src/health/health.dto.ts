import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

const STATUSES = ['ok', 'error'] as const;

export class HealthDto {
  @ApiProperty({ enum: STATUSES, example: 'ok' })
  status!: (typeof STATUSES)[number];

  @ApiPropertyOptional({ type: String, description: 'What is the matter, when the status is error.' })
  detail?: string;
}
