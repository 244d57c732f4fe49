import { ApiProperty } from '@nestjs/swagger';
import type { DeletedPost } from '../../history/post-revision.entity.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { MAX_POST_ID } from '../../posts/post-id.js';
import { formatPubDate } from '../../posts/pub-date.js';
import { AuthorDto } from '../author.dto.js';

@ClosedSchema('DeletedPost', 'A post that was deleted and can be restored.')
export class DeletedPostDto {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_POST_ID, example: 7 })
  id!: number;

  @ApiProperty({ type: String, example: 'Hello, world' })
  title!: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T14:40:00.000Z' })
  pub_date!: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-22T17:30:05.004Z' })
  deleted_at!: string;

  @ApiProperty({ type: AuthorDto, description: 'Who deleted it.' })
  author!: AuthorDto;

  static from({ id, title, pubDate, deletedAt, author }: DeletedPost): DeletedPostDto {
    return {
      id,
      title,
      pub_date: formatPubDate(pubDate),
      deleted_at: formatPubDate(deletedAt),
      author: AuthorDto.from(author),
    };
  }
}
