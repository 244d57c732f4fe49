import { ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { HealthDto } from '../../health/health.service.js';
import { Optional, textValidator } from '../../http/request/validation.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { ListPostsQuery } from '../../posts/dto/list-posts.query.js';
import { isTimeZone } from '../../posts/overview/zoned-months.js';
import { DATE_TIME } from '../admin-operation.js';
import { ChangeDto } from '../history/change.dto.js';

@ClosedSchema('Month', 'The number of posts of a month.')
export class MonthDto {
  @ApiProperty({
    type: String,
    pattern: String.raw`^\d{4}-(?:0[1-9]|1[0-2])$`,
    description: 'In the requested time zone.',
    example: '2026-11',
  })
  month!: string;

  @ApiProperty({ type: 'integer', minimum: 0, example: 12 })
  posts!: number;
}

const PARAMETERS = ['search', 'pub_date_after', 'pub_date_before'] as const;
const TIME_ZONE_RULE = 'The value must be the name of a time zone (IANA), such as UTC or Europe/Vienna.';

function IsTimeZone(): PropertyDecorator {
  return textValidator('not_one_of', isTimeZone, TIME_ZONE_RULE);
}

export class TimeZoneQuery {
  @Optional()
  @IsTimeZone()
  @ApiPropertyOptional({
    type: String,
    default: 'UTC',
    description: 'The time zone (IANA) of the months.',
    example: 'Europe/Vienna',
  })
  time_zone?: string;
}

/** Selects the posts to count, as the query of a list does. */
export class MonthsQuery extends IntersectionType(PickType(ListPostsQuery, PARAMETERS), TimeZoneQuery) {}

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
      'Twelve consecutive months, oldest first, up to the month of the newest post, but not beyond the current month; empty without posts.',
  })
  posts_per_month!: readonly MonthDto[];

  @ApiProperty({ type: [ChangeDto], description: 'The last ten entries of the log.' })
  latest_changes!: readonly ChangeDto[];
}
