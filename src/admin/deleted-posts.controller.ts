import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { IntersectionType } from '@nestjs/swagger';
import { BulkChangesService } from '../bulk-changes/bulk-changes.service.js';
import { DeletedPostsService } from '../history/deleted-posts.service.js';
import type { DeletedPost } from '../history/post-revision.entity.js';
import { KeysetQuery } from '../paging/index.js';
import {
  Access,
  type ApiResponse,
  CurrentClient,
  CurrentListRequest,
  CurrentUser,
  ListRequest,
  Page,
} from '../http/index.js';
import type { Client } from '../limits/index.js';
import type { User } from '../users/user.js';
import { formatPubDate } from '../posts/pub-date.js';
import { AdminOperation, BULK_CHANGE, progressResponse } from './admin-operation.js';
import { exactlyOne, DeletedPostsFilterQuery, DeletedPostSelectionDto } from './post-selection.dto.js';
import { toAuthorDto } from './change.dto.js';

export type DeletedPostDto = ReturnType<typeof toDeletedPostDto>;

export type CountDto = Readonly<{ count: number }>;

class DeletedPostsQuery extends IntersectionType(KeysetQuery, DeletedPostsFilterQuery) {}

@Controller('admin/api')
@Access({ session: 'viewer' })
export class DeletedPostsController {
  constructor(
    private readonly deletedPosts: DeletedPostsService,
    private readonly bulkChanges: BulkChangesService,
  ) {}

  /** Deleted posts that can be restored, the last deletion first. They are kept for HISTORY_DAYS. */
  @Get('deleted-posts')
  @AdminOperation({ name: 'admin-deleted-post-list' })
  async listDeletedPosts(
    @Query() query: DeletedPostsQuery,
    @CurrentListRequest() request: ListRequest,
  ): Promise<Page> {
    const page = await this.deletedPosts.findPage(query, request.page(query), request.client);
    return new Page(page, page.rows.map(toDeletedPostDto));
  }

  @Get('deleted-posts/count')
  @AdminOperation({ name: 'admin-deleted-post-count' })
  async countDeletedPosts(
    @Query() filter: DeletedPostsFilterQuery,
    @CurrentClient() client: Client,
  ): Promise<CountDto> {
    return { count: await this.deletedPosts.count(filter, client) };
  }

  /** Under the same ids, with the content that they had, and with new ETags. */
  @Post('restorations')
  @Access({ session: 'editor' })
  @AdminOperation({ ...BULK_CHANGE, name: 'admin-restoration-list' })
  async restorePosts(
    @Body() body: DeletedPostSelectionDto,
    @Query() filter: DeletedPostsFilterQuery,
    @CurrentUser() user: User,
    @CurrentClient() client: Client,
  ): Promise<ApiResponse> {
    const selection = Object.assign(exactlyOne(body), filter);
    return progressResponse(await this.bulkChanges.restorePosts(selection, user, client));
  }

  /** With all their revisions; they cannot be restored. The change log keeps one entry. */
  @Post('purges')
  @Access({ session: 'administrator' })
  @AdminOperation({ ...BULK_CHANGE, name: 'admin-purge-list' })
  async purgePosts(
    @Body() body: DeletedPostSelectionDto,
    @Query() filter: DeletedPostsFilterQuery,
    @CurrentUser() user: User,
    @CurrentClient() client: Client,
  ): Promise<ApiResponse> {
    const selection = Object.assign(exactlyOne(body), filter);
    return progressResponse(await this.bulkChanges.purgePosts(selection, user, client));
  }
}

/** A post that was deleted and can be restored, and who deleted it. */
function toDeletedPostDto({ postId, oldTitle, oldPubDate, at, ...by }: DeletedPost) {
  return {
    id: postId,
    title: oldTitle,
    pub_date: formatPubDate(oldPubDate),
    deleted_at: formatPubDate(at),
    author: toAuthorDto(by),
  };
}
