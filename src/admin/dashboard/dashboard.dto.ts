import { ApiProperty } from '@nestjs/swagger';
import { HealthDto } from '../../health/health.service.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { DATE_TIME } from '../admin-operation.js';
import { ChangeDto } from '../history/change.dto.js';
import { MonthDto } from '../months/month.dto.js';

const KINDS = ['sqlite', 'postgres'] as const;

@ClosedSchema('DatabaseFacts', 'Where the posts are.')
class DatabaseFactsDto {
  @ApiProperty({ enum: KINDS })
  kind!: (typeof KINDS)[number];

  @ApiProperty({ type: 'integer', minimum: 0, description: 'On the disk.', example: 1_048_576 })
  size_bytes!: number;
}

@ClosedSchema('Dashboard', 'What people look at first.')
export class DashboardDto {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many there are.', example: 128 })
  posts!: number;

  @ApiProperty({ type: String, description: 'Of the service.', example: '1.0.0' })
  version!: string;

  @ApiProperty(DATE_TIME)
  started_at!: string;

  @ApiProperty({ type: DatabaseFactsDto })
  database!: DatabaseFactsDto;

  @ApiProperty({ type: HealthDto })
  health!: HealthDto;

  @ApiProperty({
    type: [MonthDto],
    description:
      'Twelve months in a row, oldest first, up to that of the newest post, or up to now if that is of the future; none without posts.',
  })
  posts_per_month!: readonly MonthDto[];

  @ApiProperty({ type: [ChangeDto], description: 'The last ten entries of the log.' })
  latest_changes!: readonly ChangeDto[];
}
