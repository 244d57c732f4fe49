import { ApiPropertyOptional } from '@nestjs/swagger';
import { Optional } from '../../http/request/validation.js';
import { IsPostIdNumber, MAX_POST_ID } from '../post-id.js';

/** The query that names the post to be replaced or deleted on the collection's path. */
export class PostTargetQuery {
  @Optional()
  @IsPostIdNumber('id')
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_POST_ID,
    description: 'The post that is meant.',
  })
  id?: number;
}
