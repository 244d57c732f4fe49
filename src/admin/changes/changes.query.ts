import { ApiPropertyOptional } from '@nestjs/swagger';
import type { Author } from '../../http/request/author.js';
import { IsOneOf, IsStorable, Optional } from '../../http/request/validation.js';
import { PUB_DATE_PATTERN } from '../../posts/dto/post.dto.js';
import type { ChangeFilter } from '../../history/changes.repository.js';
import { CHANGE_ACTIONS, type ChangeAction } from '../../history/post-revision.entity.js';
import { IsPostIdNumber, MAX_POST_ID } from '../../posts/post-id.js';
import { IsPubDate, parsePubDate } from '../../posts/pub-date.js';
import { AUTHOR_KINDS } from '../author.dto.js';
import { KeysetQuery } from '../../http/request/keyset-page.js';

/** The query of the log, as the client wrote it. */
export class ChangesQuery extends KeysetQuery {
  @Optional()
  @IsOneOf(CHANGE_ACTIONS)
  @ApiPropertyOptional({ enum: CHANGE_ACTIONS, description: 'Only changes of this kind.' })
  action?: ChangeAction;

  @Optional()
  @IsOneOf(AUTHOR_KINDS)
  @ApiPropertyOptional({
    enum: AUTHOR_KINDS,
    description: 'Only changes that authors of this kind have made.',
  })
  author_kind?: Author['kind'];

  @Optional()
  @IsStorable()
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    description: 'Only changes of authors of this very name.',
  })
  author_name?: string;

  @Optional()
  @IsPostIdNumber('value')
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_POST_ID,
    description: 'Only changes of this post.',
  })
  post_id?: number;

  @Optional()
  @IsPubDate()
  @ApiPropertyOptional({
    type: String,
    pattern: PUB_DATE_PATTERN,
    description: 'Changes of this time or later.',
  })
  after?: string;

  @Optional()
  @IsPubDate()
  @ApiPropertyOptional({
    type: String,
    pattern: PUB_DATE_PATTERN,
    description: 'Changes of before this time.',
  })
  before?: string;
}

/** What a valid query asks the log for. */
export function toChangeFilter(query: ChangesQuery): ChangeFilter {
  return {
    action: query.action,
    authorKind: query.author_kind,
    authorName: query.author_name,
    postId: query.post_id,
    from: query.after === undefined ? undefined : parsePubDate(query.after),
    before: query.before === undefined ? undefined : parsePubDate(query.before),
  };
}
