import { PickType } from '@nestjs/swagger';
import { ListPostsQuery } from '../../posts/dto/list-posts.query.js';

const PARAMETERS = ['search', 'pub_date_after', 'pub_date_before'] as const;

/** The query that says which posts are counted, as that of a list does. */
export class MonthsQuery extends PickType(ListPostsQuery, PARAMETERS) {}
