import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { DeletedPostNotFound, PostsNotDeleted } from '../../history/history.service.js';
import type { DeletedPost } from '../../history/post-revision.entity.js';
import { JSON_TYPE } from '../../http/protocol/media-type.js';
import type { Author } from '../../http/request/author.js';
import { CurrentAuthor, ListPath } from '../../http/request/handler-arguments.js';
import type { InputCheck } from '../../http/request/input-reader.js';
import { checkKeysetCursor, KeysetQuery, toKeysetRequest } from '../../http/request/keyset-page.js';
import { IsIntegerBetween, IsStorable, Optional } from '../../http/request/validation.js';
import { Page } from '../../http/response/document-response.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { UNKNOWN_PARAMETER } from '../../openapi/problem-response.js';
import { MAX_POST_ID, PostPath } from '../../posts/post-id.js';
import { formatPubDate } from '../../posts/pub-date.js';
import { DeletedPostsService } from '../../posts/writes/deleted-posts.service.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { aCreation, AdminOperation, aJson, aList, DATE_TIME, FAULTY_LIST_QUERY } from '../admin-operation.js';
import { ArePostIds, POST_IDS_SCHEMA } from '../input-rules.js';
import { AuthorDto } from './change.dto.js';

@ClosedSchema('DeletedPost', 'A post that was deleted and can be restored.')
export class DeletedPostDto {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_POST_ID, example: 7 })
  id!: number;

  @ApiProperty({ type: String, example: 'Hello, world' })
  title!: string;

  @ApiProperty({ ...DATE_TIME, example: '2026-11-20T14:40:00.000Z' })
  pub_date!: string;

  @ApiProperty({ ...DATE_TIME, example: '2026-11-22T17:30:05.004Z' })
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

/** The query of the list of deleted posts, as the client sent it. */
class DeletedPostsQuery extends KeysetQuery {
  @Optional()
  @IsStorable()
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    description:
      'Posts that contain all of these words in the title. The last word also matches as a prefix. Case and diacritics do not matter.',
  })
  search?: string;
}

const DELETED_POST = {
  id: 7,
  title: 'A walk along the river',
  pub_date: '2026-11-21T08:05:00.000Z',
  deleted_at: '2026-11-22T17:30:05.004Z',
  author: { kind: 'account', name: 'ann' },
} as const satisfies DeletedPostDto;

@ApiTags('history')
@Controller('admin/api/deleted-posts')
export class DeletedPostsController {
  constructor(private readonly deletedPosts: DeletedPostsService) {}

  @Get()
  @AdminOperation({
    name: 'admin-deleted-post-list',
    access: 'viewer',
    summary: 'List deleted posts',
    description:
      'Deleted posts that can be restored, the last deletion first. They are kept for HISTORY_DAYS.',
    check: checkKeysetCursor,
    responses: { 200: aList('The deleted posts.', DeletedPostDto, [DELETED_POST]) },
    problems: { faultyQuery: FAULTY_LIST_QUERY },
  })
  async listDeletedPosts(@Query() query: DeletedPostsQuery, @ListPath() path: string): Promise<Page> {
    const page = await this.deletedPosts.page(toKeysetRequest(query, path), query.search);
    return Page.of(page, (post) => DeletedPostDto.from(post));
  }

  @Delete(':id')
  @AdminOperation({
    name: 'admin-deleted-post-detail',
    access: 'administrator',
    summary: 'Remove a deleted post for good',
    description: 'With all its revisions; it cannot be restored. The change log keeps one entry.',
    responses: { 204: { description: 'The post is removed.', headers: ['Cache-Control'] } },
    problems: {
      unknownParameter: UNKNOWN_PARAMETER,
      notDeleted: new DeletedPostNotFound([7]),
    },
  })
  purgePost(@Param() { id }: PostPath, @CurrentAuthor() author: Author): Promise<void> {
    return this.deletedPosts.purge([id], author);
  }
}

@ClosedSchema('NewRestoration', 'The deleted posts to restore.')
class CreateRestorationDto {
  @ArePostIds()
  @ApiProperty({ ...POST_IDS_SCHEMA, description: 'All of them are restored, or none.', example: [7, 9] })
  post_ids!: number[];
}

@ClosedSchema('Restoration', 'The restored posts.')
export class RestorationDto {
  @ApiProperty({ ...POST_IDS_SCHEMA, example: [7, 9] })
  restored!: number[];
}

@ClosedSchema('NewPurge', 'The deleted posts to remove for good.')
class CreatePurgeDto {
  @ArePostIds()
  @ApiProperty({ ...POST_IDS_SCHEMA, description: 'All of them are removed, or none.', example: [7, 9] })
  post_ids!: number[];

  @IsIntegerBetween(1, Number.MAX_SAFE_INTEGER)
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The number of these posts, as a confirmation.',
    example: 2,
  })
  count!: number;
}

@ClosedSchema('Purge', 'The posts that were removed for good.')
class PurgeDto {
  @ApiProperty({ ...POST_IDS_SCHEMA, example: [7, 9] })
  purged!: number[];
}

const checkCount: InputCheck<{ body: CreatePurgeDto }> = ({ body }, _context, found) =>
  found.length > 0 || body.count === body.post_ids.length ? [] : [wrongCount(body.post_ids.length)];

const wrongCount = (posts: number) =>
  ({
    detail: `The value must be the number of posts, ${posts}.`,
    code: 'out_of_range',
    limit: posts,
    pointer: '/count',
  }) as const;

const RESTORED = aJson(
  'The posts are restored. `Location` is the address of the post, or of the collection for several posts.',
  RestorationDto,
  { restored: [7, 9] },
);

@ApiTags('history')
@Controller('admin/api/restorations')
export class RestorationsController {
  constructor(private readonly deletedPosts: DeletedPostsService) {}

  @Post()
  @AdminOperation({
    name: 'admin-restoration-list',
    access: 'editor',
    location: ({ restored: [id, ...others] }: RestorationDto) =>
      others.length === 0 ? ['post-detail', { id }] : ['post-list'],
    summary: 'Restore deleted posts',
    description: 'Under the same ids, with the content that they had, and with new ETags.',
    body: { content: { [JSON_TYPE]: { type: CreateRestorationDto, example: { post_ids: [7, 9] } } } },
    responses: { 201: aCreation(RESTORED) },
    problems: {
      faultyIds: new InvalidRequest([
        { detail: 'The field is required.', code: 'required', pointer: '/post_ids' },
      ]),
      notDeleted: new PostsNotDeleted([9]),
      unknownPost: new DeletedPostNotFound([7]),
    },
  })
  async restorePosts(
    @Body() { post_ids: ids }: CreateRestorationDto,
    @CurrentAuthor() author: Author,
  ): Promise<RestorationDto> {
    await this.deletedPosts.restore(ids, author);
    return { restored: ids };
  }
}

@ApiTags('history')
@Controller('admin/api/purges')
export class PurgesController {
  constructor(private readonly deletedPosts: DeletedPostsService) {}

  @Post()
  @AdminOperation({
    name: 'admin-purge-list',
    access: 'administrator',
    check: checkCount,
    summary: 'Remove deleted posts for good',
    description: 'With all their revisions; they cannot be restored. The change log keeps one entry.',
    body: { content: { [JSON_TYPE]: { type: CreatePurgeDto, example: { post_ids: [7, 9], count: 2 } } } },
    responses: { 200: aJson('Nothing of the posts is left.', PurgeDto, { purged: [7, 9] }) },
    problems: {
      wrongCount: new InvalidRequest([wrongCount(2)]),
      unknownParameter: UNKNOWN_PARAMETER,
      notDeleted: new DeletedPostNotFound([7]),
    },
  })
  async purgePosts(
    @Body() { post_ids: ids }: CreatePurgeDto,
    @CurrentAuthor() author: Author,
  ): Promise<PurgeDto> {
    await this.deletedPosts.purge(ids, author);
    return { purged: ids };
  }
}
