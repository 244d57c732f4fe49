import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ClosedSchema } from '../../openapi/document-types.js';
import {
  type Revision,
  REVISION_ACTIONS,
  type RevisionAction,
  type WholeRevision,
} from '../../history/post-revision.entity.js';
import { POST_FIELDS, PostDto } from '../../posts/dto/post.dto.js';
import { MAX_POST_ID } from '../../posts/post-id.js';
import { formatPubDate } from '../../posts/pub-date.js';
import { AuthorDto } from '../author.dto.js';

const FIELDS = POST_FIELDS.filter((field) => field !== 'id' && field !== 'body');

/** What a post was after a change. */
@ClosedSchema('Revision', 'What a post was after a change; for its deletion, what was deleted.')
export class RevisionDto extends OmitType(PostDto, ['id', 'body']) {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_POST_ID,
    description: 'Ascends with each change of the post. It is the last part of the ETag that the post had.',
    example: 2,
  })
  number!: number;

  @ApiProperty({
    enum: REVISION_ACTIONS,
    description: '`found`: the post was there when its history began, at that time.',
    example: 'changed',
  })
  action!: RevisionAction;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T14:40:00.123Z' })
  at!: string;

  @ApiProperty({ type: AuthorDto })
  author!: AuthorDto;

  static from({ number, action, at, author, ...post }: Revision): RevisionDto {
    const change = { number, action, at: formatPubDate(at), author: AuthorDto.from(author) };
    return Object.assign(change, PostDto.fromPart(post, FIELDS) as Pick<PostDto, 'title' | 'pub_date'>);
  }
}

@ClosedSchema('WholeRevision', 'A revision with its body.')
export class WholeRevisionDto extends RevisionDto {
  @ApiProperty({ type: String, example: 'The first post.' })
  body!: string;

  static override from(revision: WholeRevision): WholeRevisionDto {
    return Object.assign(RevisionDto.from(revision), { body: revision.body });
  }
}
