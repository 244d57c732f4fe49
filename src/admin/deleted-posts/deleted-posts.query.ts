import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsStorable, Optional } from '../../http/request/validation.js';
import { KeysetQuery } from '../../http/request/keyset-page.js';

/** The query of the list of deleted posts, as the client wrote it. */
export class DeletedPostsQuery extends KeysetQuery {
  @Optional()
  @IsStorable()
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    description:
      'Posts in whose title all of these words occur, the last one perhaps as the beginning of a word. Case and diacritics do not matter.',
  })
  search?: string;
}
