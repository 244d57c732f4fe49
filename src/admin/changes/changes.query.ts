import { ApiPropertyOptional } from '@nestjs/swagger';
import type { Author } from '../../http/author.js';
import { matching, oneOf, optional, Satisfies, text } from '../../http/satisfies.js';
import { PUB_DATE_PATTERN } from '../../posts/dto/post-input.dto.js';
import type { ChangeFilter } from '../../posts/history/changes.repository.js';
import { CHANGE_ACTIONS, type ChangeAction } from '../../posts/history/revision.js';
import { isPostId, MAX_POST_ID, POST_ID_RULE } from '../../posts/post-id.js';
import { textFault } from '../../posts/post-text.js';
import { isPubDate, parsePubDate, PUB_DATE_RULE } from '../../posts/pub-date.js';
import { AUTHOR_KINDS } from '../author.dto.js';
import { KeysetQuery } from '../keyset.query.js';

/** The query of the log, as the client wrote it. */
export class ChangesQuery extends KeysetQuery {
  @Satisfies(optional(oneOf(CHANGE_ACTIONS)))
  @ApiPropertyOptional({ enum: CHANGE_ACTIONS, description: 'Only changes of this kind.' })
  action?: ChangeAction;

  @Satisfies(optional(oneOf(AUTHOR_KINDS)))
  @ApiPropertyOptional({
    enum: AUTHOR_KINDS,
    description: 'Only changes that authors of this kind have made.',
  })
  author_kind?: Author['kind'];

  @Satisfies(optional(text(textFault)))
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    description: 'Only changes of authors of this very name.',
  })
  author_name?: string;

  @Satisfies(optional(matching(isPostId, `The value ${POST_ID_RULE}.`)))
  @ApiPropertyOptional({
    type: 'integer',
    format: 'int64',
    minimum: 1,
    maximum: MAX_POST_ID,
    description: 'Only changes of this post.',
  })
  post_id?: string;

  @Satisfies(optional(matching(isPubDate, PUB_DATE_RULE)))
  @ApiPropertyOptional({
    type: String,
    pattern: PUB_DATE_PATTERN,
    description: 'Changes of this time or later.',
  })
  after?: string;

  @Satisfies(optional(matching(isPubDate, PUB_DATE_RULE)))
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
    postId: query.post_id === undefined ? undefined : Number(query.post_id),
    from: query.after === undefined ? undefined : parsePubDate(query.after),
    before: query.before === undefined ? undefined : parsePubDate(query.before),
  };
}
