import { IntersectionType, PickType } from '@nestjs/swagger';
import { Optional, textValidator } from '../../http/request/validation.js';
import { ListPostsQuery } from '../../posts/dto/list-posts.query.js';
import { isTimeZone } from '../../posts/overview/zoned-months.js';

const TIME_ZONE_RULE = 'The value must be the name of a time zone (IANA), such as UTC or Europe/Vienna.';

export class TimeZoneQuery {
  /** The time zone of the months; UTC without it. */
  @Optional()
  @textValidator('not_one_of', isTimeZone, TIME_ZONE_RULE)
  time_zone?: string;
}

/** Selects the posts to count, as the query of a list does. */
export class MonthsQuery extends IntersectionType(
  PickType(ListPostsQuery, ['search', 'pub_date_after', 'pub_date_before']),
  TimeZoneQuery,
) {}

/** The posts, like a list's `id`, and the search around whose matches the excerpts are. */
export class ExcerptsQuery extends PickType(ListPostsQuery, ['id', 'search']) {}
