import { ApiPropertyOptional } from '@nestjs/swagger';
import { matching, optional, Satisfies } from '../../http/satisfies.js';
import { isPostId, MAX_POST_ID, POST_ID_RULE } from '../post-id.js';

/** The query that names the post to be replaced or deleted on the collection's path. */
export class PostTargetQuery {
  @Satisfies(optional(matching(isPostId, `The id ${POST_ID_RULE}.`)))
  @ApiPropertyOptional({
    type: 'integer',
    format: 'int64',
    minimum: 1,
    maximum: MAX_POST_ID,
    description: 'The post that is meant.',
  })
  id?: string;
}
