import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ChangeFilter } from '../../history/changes.repository.js';
import {
  CHANGE_ACTIONS,
  type ChangeAction,
  type ChangedPost,
  type LoggedChange,
  POST_ACTIONS,
} from '../../history/post-revision.entity.js';
import type { Author } from '../../http/request/author.js';
import { KeysetQuery } from '../../http/request/keyset-page.js';
import { IsOneOf, IsStorable, Optional } from '../../http/request/validation.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { PUB_DATE_PATTERN } from '../../posts/dto/post.dto.js';
import { IsPostIdNumber, MAX_POST_ID } from '../../posts/post-id.js';
import { formatPubDate, IsPubDate, parsePubDate } from '../../posts/pub-date.js';
import { DATE_TIME } from '../admin-operation.js';

const AUTHOR_KINDS = ['api', 'token', 'account', 'command'] as const satisfies readonly Author['kind'][];

@ClosedSchema('Author', 'The author of a change.')
export class AuthorDto {
  @ApiProperty({
    enum: AUTHOR_KINDS,
    description:
      '`api`: a client of the open API. `token`: an API token. `account`: a person who was logged in. `command`: the service itself, or one of its commands.',
    example: 'account',
  })
  kind!: Author['kind'];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The name of the token, the account or the command, where there is one.',
    example: 'ann',
  })
  name!: string | null;

  static from({ kind, name }: Author): AuthorDto {
    return { kind, name: name ?? null };
  }
}

const ID = { type: 'integer', minimum: 1, maximum: MAX_POST_ID } as const;

const NULLABLE_TEXT = { type: String, nullable: true } as const;

const TITLE = {
  ...NULLABLE_TEXT,
  description:
    'The title of the post after the change; null for several posts, and when it is no longer kept.',
  example: 'Hello, world',
} as const;

@ClosedSchema('Change', 'An entry of the change log.')
export class ChangeDto {
  @ApiProperty({ ...ID, description: 'Ascends with each entry.', example: 1204 })
  id!: number;

  @ApiProperty({
    enum: CHANGE_ACTIONS,
    description:
      '`found`: the posts were there when the history began. `purged`: deleted posts were removed for good. `login_failed`: also of a wrong current password.',
    example: 'deleted',
  })
  action!: ChangeAction;

  @ApiProperty({ ...DATE_TIME, example: '2026-11-22T17:30:05.004Z' })
  at!: string;

  @ApiProperty({ type: AuthorDto })
  author!: AuthorDto;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The client address, by TRUST_PROXY; for IPv6, the /64.',
    example: '198.51.100.7',
  })
  address!: string | null;

  @ApiPropertyOptional({
    ...ID,
    description: 'The changed post, or the first of several that were created together.',
    example: 7,
  })
  post_id?: number;

  @ApiPropertyOptional({
    ...ID,
    description: 'The last of several posts that were created together, such as by an import.',
  })
  last_post_id?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_POST_ID,
    description: 'How many posts one action changed; `admin-changed-post-list` lists them.',
  })
  post_count?: number;

  @ApiProperty(TITLE)
  title!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The account or the token that was changed.', example: null })
  subject!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description:
      'The new role of an account, the role of a token, the media type of an export, or the settings that changed.',
    example: null,
  })
  detail!: string | null;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_POST_ID,
    description: 'The number of events: failed log-ins and exports within an hour are one entry.',
    example: 1,
  })
  count!: number;

  static from(change: LoggedChange): ChangeDto {
    const { id, postId, lastPostId, action, at, author, title, subject, detail, count } = change;
    const isOfMany = postId === 0 && (POST_ACTIONS as readonly string[]).includes(action);
    return {
      id,
      action,
      at: formatPubDate(at),
      author: AuthorDto.from(author),
      address: author.address ?? null,
      ...(postId !== 0 && { post_id: postId }),
      ...(lastPostId !== postId && { last_post_id: lastPostId }),
      ...(isOfMany && { post_count: count ?? 0 }),
      title,
      subject,
      detail,
      count: isOfMany ? 1 : (count ?? 1),
    };
  }
}

@ClosedSchema('ChangedPost', 'A post of an entry of the change log.')
export class ChangedPostDto {
  @ApiProperty({ ...ID, example: 7 })
  post_id!: number;

  @ApiProperty(TITLE)
  title!: string | null;

  static from({ postId, title }: ChangedPost): ChangedPostDto {
    return { post_id: postId, title };
  }
}

/** The query of the change log, as the client sent it. */
export class ChangesQuery extends KeysetQuery {
  @Optional()
  @IsOneOf(CHANGE_ACTIONS)
  @ApiPropertyOptional({ enum: CHANGE_ACTIONS, description: 'Only entries of this kind.' })
  action?: ChangeAction;

  @Optional()
  @IsOneOf(AUTHOR_KINDS)
  @ApiPropertyOptional({
    enum: AUTHOR_KINDS,
    description: 'Only entries of authors of this kind.',
  })
  author_kind?: Author['kind'];

  @Optional()
  @IsStorable()
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    description: 'Only entries of authors with exactly this name.',
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
    description: 'Changes at this time or later.',
  })
  after?: string;

  @Optional()
  @IsPubDate()
  @ApiPropertyOptional({
    type: String,
    pattern: PUB_DATE_PATTERN,
    description: 'Changes before this time.',
  })
  before?: string;
}

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

const EXAMPLE = {
  at: '2026-11-22T17:30:05.004Z',
  author: { kind: 'account', name: 'ann' },
  address: '198.51.100.7',
  title: null,
  subject: null,
  detail: null,
  count: 1,
} as const;

export const CHANGE_EXAMPLES = [
  { id: 1204, action: 'deleted', ...EXAMPLE, post_id: 7, title: 'A walk along the river' },
  { id: 1203, action: 'imported', ...EXAMPLE, post_id: 8, last_post_id: 1007 },
  { id: 1202, action: 'restored', ...EXAMPLE, post_count: 141 },
  { id: 1201, action: 'role_changed', ...EXAMPLE, subject: 'bob', detail: 'editor' },
] as const satisfies readonly ChangeDto[];
