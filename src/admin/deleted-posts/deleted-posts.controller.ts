import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Author } from '../../http/request/author.js';
import { CurrentAuthor, ListPath } from '../../http/request/handler-arguments.js';
import { DATABASE_BUSY, UNKNOWN_PARAMETER } from '../../openapi/problem-response.js';
import { TAGS } from '../../openapi/tags.js';
import { PostPath } from '../../posts/post-target.js';
import { DeletedPostsService } from '../../posts/writes/deleted-posts.service.js';
import { DeletedPostNotFound } from '../../history/history.service.js';
import { Page } from '../../http/response/document-response.js';
import { AdminOperation, aList, FAULTY_LIST_QUERY } from '../admin-operation.js';
import { DELETED_POST } from '../history-examples.js';
import { checkKeysetCursor, toKeysetRequest } from '../../http/request/keyset-page.js';
import { DeletedPostDto } from './deleted-post.dto.js';
import { DeletedPostsQuery } from './deleted-posts.query.js';

@ApiTags(TAGS.history)
@Controller('admin/api/deleted-posts')
export class DeletedPostsController {
  constructor(private readonly deletedPosts: DeletedPostsService) {}

  @Get()
  @AdminOperation({
    name: 'admin-deleted-post-list',
    access: 'viewer',
    summary: 'List deleted posts',
    description: 'Those that can be restored, the last deletion first. They are kept for HISTORY_DAYS.',
    check: checkKeysetCursor,
    responses: { 200: aList('The deleted posts.', DeletedPostDto, [DELETED_POST]) },
    problems: { faultyQuery: FAULTY_LIST_QUERY, databaseBusy: DATABASE_BUSY },
  })
  async listDeletedPosts(@Query() query: DeletedPostsQuery, @ListPath() path: string): Promise<Page> {
    const page = await this.deletedPosts.page(toKeysetRequest(query, path), query.search);
    return new Page(
      page.rows.map((post) => DeletedPostDto.from(post)),
      page,
    );
  }

  @Delete(':id')
  @AdminOperation({
    name: 'admin-deleted-post-detail',
    access: 'administrator',
    summary: 'Remove a deleted post for good',
    description:
      'With all of its revisions: nobody can restore it any more. The log keeps that it was removed, and by whom.',
    responses: { 204: { description: 'Nothing of the post is left.', headers: ['Cache-Control'] } },
    problems: {
      unknownParameter: UNKNOWN_PARAMETER,
      notDeleted: new DeletedPostNotFound([7]),
      databaseBusy: DATABASE_BUSY,
    },
  })
  purgePost(@Param() { id }: PostPath, @CurrentAuthor() author: Author): Promise<void> {
    return this.deletedPosts.purge(id, author);
  }
}
