import { ApiProperty, PartialType } from '@nestjs/swagger';
import { ClosedSchema } from '../../openapi/document-types.js';
import { MAX_POST_ID } from '../post-id.js';
import { TITLE_MAX_CODE_POINTS } from '../post-text.js';
import type { Post } from '../post.entity.js';
import { formatPubDate } from '../pub-date.js';

/** The fields of a post, in the order in which every representation has them. */
export const POST_FIELDS = ['id', 'title', 'pub_date', 'body'] as const;
export type PostField = (typeof POST_FIELDS)[number];

/** A post as clients see it: exactly these fields, in this order. */
@ClosedSchema('Post', 'A post as the service shows it.')
export class PostDto {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_POST_ID,
    readOnly: true,
    description: 'Assigned by the service, never used twice.',
    example: 1,
  })
  id!: number;

  @ApiProperty({ type: String, minLength: 1, maxLength: TITLE_MAX_CODE_POINTS, example: 'Hello, world' })
  title!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'UTC, with three fraction digits, or six when there are microseconds.',
    example: '2026-11-20T14:40:00.000Z',
  })
  pub_date!: string;

  @ApiProperty({ type: String, example: 'The first post.' })
  body!: string;

  static from({ id, title, pubDate, body }: Post): PostDto {
    return { id, title, pub_date: formatPubDate(pubDate), body };
  }

  /** A post of which only some fields were read: the others are left out. */
  static fromPart(
    { id, title, pubDate, body }: Partial<Post>,
    fields: readonly PostField[],
  ): Partial<PostDto> {
    const all = { id, title, pub_date: pubDate === undefined ? undefined : formatPubDate(pubDate), body };
    return Object.fromEntries(
      POST_FIELDS.filter((field) => fields.includes(field)).map((field) => [field, all[field]]),
    );
  }
}

/** The schema of {@link PostDto.fromPart}. */
@ClosedSchema('PartialPost', 'A post of which `fields` names the fields.')
export class PartialPostDto extends PartialType(PostDto) {}
