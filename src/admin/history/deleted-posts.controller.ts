import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { DeletedPostNotFound } from '../../history/history.service.js';
import type { DeletedPost } from '../../history/post-revision.entity.js';
import type { Author } from '../../http/request/author.js';
import { CurrentAuthor, ListPath } from '../../http/request/handler-arguments.js';
import { checkKeysetCursor, KeysetQuery, toKeysetRequest } from '../../http/request/keyset-page.js';
import { IsStorable, Optional } from '../../http/request/validation.js';
import { Page } from '../../http/response/document-response.js';
import { ClosedSchema, TAGS } from '../../openapi/document-types.js';
import { UNKNOWN_PARAMETER } from '../../openapi/problem-response.js';
import { MAX_POST_ID, PostPath } from '../../posts/post-id.js';
import { formatPubDate } from '../../posts/pub-date.js';
import { DeletedPostsService } from '../../posts/writes/deleted-posts.service.js';
import { AdminOperation, aList, DATE_TIME, FAULTY_LIST_QUERY } from '../admin-operation.js';
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

@ApiTags(TAGS.history)
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
