import { ApiProperty } from '@nestjs/swagger';
import { HealthDto } from '../../health/health.service.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { DATE_TIME } from '../admin-operation.js';
import { ChangeDto } from '../history/change.dto.js';
import { MonthDto } from '../months/month.dto.js';

const KINDS = ['sqlite', 'postgres'] as const;

@ClosedSchema('DatabaseFacts', 'The database.')
class DatabaseFactsDto {
  @ApiProperty({ enum: KINDS })
  kind!: (typeof KINDS)[number];

  @ApiProperty({ type: 'integer', minimum: 0, description: 'The size on the disk.', example: 1_048_576 })
  size_bytes!: number;
}

@ClosedSchema('Dashboard', 'The overview of the administration site.')
export class DashboardDto {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'The number of posts.', example: 128 })
  posts!: number;

  @ApiProperty({ type: String, description: 'The version of the service.', example: '1.0.0' })
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
      'Twelve consecutive months, oldest first, up to the month of the newest post, but not beyond the present one; empty without posts.',
  })
  posts_per_month!: readonly MonthDto[];

  @ApiProperty({ type: [ChangeDto], description: 'The last ten entries of the log.' })
  latest_changes!: readonly ChangeDto[];
}
