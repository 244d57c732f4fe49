import { ApiProperty, ApiPropertyOptional, OmitType, PartialType } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { ClosedSchema } from '../../openapi/index.js';
import { ID_SCHEMA, IdField } from '../post-id.js';
import type { NewPost, Post } from '../post.entity.js';
import type { PostReplacement } from '../posts.service.js';
import { postEntityTag } from '../post-validators.js';
import { formatPubDate, formatTime, toPubDate, parsePubDate, PUB_DATE_RULE } from '../pub-date.js';
import { DateField, PUB_DATE_PATTERN, TextField, TITLE_MAX_CODE_POINTS, TitleField } from './post-fields.js';

/** A post as clients see it: exactly these fields, in this order. */
@ClosedSchema('Post', 'A post as the service shows it.')
export class PostDto {
  @ApiProperty({
    ...ID_SCHEMA,
    readOnly: true,
    description: 'Assigned by the service, never reused.',
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

  static from({ id, title, pubDate, body }: Pick<Post, 'id' | keyof NewPost>): PostDto {
    return { id, title, pub_date: formatPubDate(pubDate), body };
  }
}

/** A post of a list with all that `fields` may name. */
export class ListedPostDto extends PostDto {
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'The time of the last change, in UTC.',
    example: '2026-11-20T14:40:00.000Z',
  })
  modified!: string;

  @ApiProperty({
    type: String,
    pattern: '^"[!#-~]+"$',
    description: 'The `ETag` of the post, for `If-Match`.',
    example: '"1-1"',
  })
  etag!: string;

  static override from(post: Post): ListedPostDto {
    const etag = `"${postEntityTag(post)}"`;
    return Object.assign(PostDto.from(post), { modified: formatTime(post.modified), etag });
  }
}

/** The schema of a post in a list with `fields`. */
@ClosedSchema('PartialPost', 'A post with only the fields that `fields` names.')
export class PartialPostDto extends PartialType(ListedPostDto) {}

/** The fields of a post that a client may set. */
abstract class PostInputDto {
  @TitleField({
    description: 'Length in Unicode code points. Not only white space; no U+0000. Stored exactly as sent.',
    example: 'Hello, world',
  })
  title!: string;

  @DateField({
    required: false,
    description: `${PUB_DATE_RULE} Digits beyond microseconds are cut.`,
    example: '2026-11-20T14:40:00Z',
  })
  pub_date?: string;

  @TextField({
    description: 'May be empty; no U+0000. Stored exactly as sent.',
    example: 'The first post.',
  })
  body!: string;
}

@ClosedSchema('NewPost', 'A new post.')
export class CreatePostDto extends PostInputDto {
  @Allow()
  @ApiPropertyOptional({
    readOnly: true,
    type: Object,
    description: 'Assigned by the service. Ignored on input, so that a post that was read can be sent again.',
  })
  id?: unknown;
}

/** The body of a replacement. */
@ClosedSchema('PostReplacement', 'The new content of a post.')
export class ReplacePostDto extends PostInputDto {
  @IdField({
    required: false,
    description: 'The id of the post, if the path does not have it; if both have it, it must be the same.',
    example: 1,
  })
  id?: number;
}

/** Swagger UI fills forms with examples, and these fields are best left empty. */
const example = '';

/** The schema of {@link CreatePostDto} in the form types. A form sends only text, and an empty field counts as not sent. */
@ClosedSchema('NewPostForm', 'A new post, as a form sends it.')
export class CreatePostForm extends OmitType(CreatePostDto, []) {
  @ApiPropertyOptional({
    pattern: `^$|${PUB_DATE_PATTERN}`,
    description:
      'The time of publication, such as `2026-11-20T14:40:00Z`. If empty, a new post gets the current time, and the date ' +
      'of an existing one does not change.',
    example,
  })
  override pub_date?: string;
}

/** The schema of {@link ReplacePostDto} in the form types. */
@ClosedSchema('PostReplacementForm', 'The new content of a post, as a form sends it.')
export class ReplacePostForm extends OmitType(CreatePostForm, ['id']) {
  @ApiPropertyOptional({
    type: String,
    pattern: String.raw`^(?:[1-9]\d{0,15})?$`,
    description: 'May be empty if the path or the query has the id; if both have it, it must be the same.',
    example,
  })
  id?: string;
}

/** Converts a valid body to a new post. @param now the date of a post without `pub_date` */
export function toNewPost(post: CreatePostDto, now = toPubDate()): NewPost {
  const replacement = toReplacement(post);
  return Object.assign(replacement, { pubDate: replacement.pubDate ?? now });
}

/** Converts a valid body to the new content of a post. */
export function toReplacement({ title, body, pub_date }: CreatePostDto | ReplacePostDto): PostReplacement {
  return { title, body, pubDate: pub_date === undefined ? undefined : parsePubDate(pub_date) };
}
