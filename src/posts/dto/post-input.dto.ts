import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { IsStorable, IsString, Optional } from '../../http/request/validation.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { IsPostIdNumber, MAX_POST_ID } from '../post-id.js';
import { IsTitle, TITLE_MAX_CODE_POINTS } from '../post-text.js';
import { IsPubDate, PUB_DATE_RULE } from '../pub-date.js';

/** The outline of {@link PUB_DATE_RULE} for OpenAPI; the calendar's leap years and the edges of UTC are left to the rule. */
export const PUB_DATE_PATTERN =
  String.raw`^(?!0000)\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2\d))` +
  String.raw`(?:[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$`;

/** Not only white space. No pattern tells of U+0000: generators copy patterns, and so that character, into source code. */
export const TITLE_PATTERN = String.raw`\S`;

/** What a client may set of a post. */
abstract class PostInputDto {
  @IsTitle()
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: TITLE_MAX_CODE_POINTS,
    pattern: TITLE_PATTERN,
    description:
      'Counted in Unicode code points, not only white space, without U+0000, stored exactly as sent.',
    example: 'Hello, world',
  })
  title!: string;

  @Optional()
  @IsString()
  @IsPubDate()
  @ApiPropertyOptional({
    type: String,
    pattern: PUB_DATE_PATTERN,
    description: `${PUB_DATE_RULE} Digits beyond microseconds are cut.`,
    example: '2026-11-20T14:40:00Z',
  })
  pub_date?: string;

  @IsString()
  @IsStorable()
  @ApiProperty({
    type: String,
    description: 'May be empty; without U+0000; stored exactly as sent, to the last byte.',
    example: 'The first post.',
  })
  body!: string;
}

/** A post to be stored. */
@ClosedSchema('NewPost', 'A post to be stored.')
export class CreatePostDto extends PostInputDto {
  @Allow()
  @ApiPropertyOptional({
    readOnly: true,
    type: Object,
    description:
      'Assigned by the service. Whatever is sent is ignored, so that a post that was read can be posted again.',
  })
  id?: unknown;
}

/** What a post is to be replaced with. */
@ClosedSchema('PostReplacement', 'What a post is to be replaced with.')
export class ReplacePostDto extends PostInputDto {
  @Optional()
  @IsPostIdNumber('id')
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_POST_ID,
    description: 'Names the post where the path does not; where both do, they must agree.',
    example: 1,
  })
  id?: number;
}
