import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CHANGE_ACTIONS, type ChangeAction, type LoggedChange } from '../../history/post-revision.entity.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { MAX_POST_ID } from '../../posts/post-id.js';
import { formatPubDate } from '../../posts/pub-date.js';
import { AuthorDto } from '../author.dto.js';

const ID = { type: 'integer', minimum: 1, maximum: MAX_POST_ID } as const;

@ClosedSchema('Change', 'An entry of the log of all changes.')
export class ChangeDto {
  @ApiProperty({ ...ID, description: 'Ascends with each entry.', example: 1204 })
  id!: number;

  @ApiProperty({ ...ID, description: 'The post that was changed, or the first of several.', example: 7 })
  post_id!: number;

  @ApiPropertyOptional({
    ...ID,
    description: 'The last of several posts that were made together, such as those of an import.',
  })
  last_post_id?: number;

  @ApiProperty({
    enum: CHANGE_ACTIONS,
    description:
      '`found`: the posts were there when the history began. `purged`: a deleted post was removed for good.',
    example: 'deleted',
  })
  action!: ChangeAction;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-22T17:30:05.004Z' })
  at!: string;

  @ApiProperty({ type: AuthorDto })
  author!: AuthorDto;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Of the post after the change; null for several posts, and when it is kept no more.',
    example: 'Hello, world',
  })
  title!: string | null;

  static from({ id, postId, lastPostId, action, at, author, title }: LoggedChange): ChangeDto {
    return {
      id,
      post_id: postId,
      ...(lastPostId === postId ? {} : { last_post_id: lastPostId }),
      action,
      at: formatPubDate(at),
      author: AuthorDto.from(author),
      title: title ?? null,
    };
  }
}
