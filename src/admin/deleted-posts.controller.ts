import { Controller, Get, Query } from '@nestjs/common';
import { IntersectionType } from '@nestjs/swagger';
import type { DeletedPost } from '../history/post-revision.entity.js';
import { ListPath } from '../http/request/handler-arguments.js';
import { checkKeysetCursor } from '../http/request/keyset-page.js';
import { Page } from '../http/response/to-response.js';
import { formatPubDate } from '../posts/pub-date.js';
import { DeletedPostsService } from '../bulk-changes/deleted-posts.service.js';
import { AdminOperation } from './admin-operation.js';
import { DeletedPostsFilterQuery } from './post-selection.dto.js';
import { toAuthorDto } from './change.dto.js';
import { Roles } from '../http/request/roles.guard.js';
import { PagedQuery, toPageRequest } from './input-rules.js';

export type DeletedPostDto = ReturnType<typeof toDeletedPostDto>;

export interface CountDto {
  readonly count: number;
}

/** The query of the list of deleted posts, as the client sent it. */
class DeletedPostsQuery extends IntersectionType(PagedQuery, DeletedPostsFilterQuery) {}

@Controller('admin/api/deleted-posts')
@Roles('viewer')
export class DeletedPostsController {
  constructor(private readonly deletedPosts: DeletedPostsService) {}

  /** Deleted posts that can be restored, the last deletion first. They are kept for HISTORY_DAYS. */
  @Get()
  @AdminOperation({ name: 'admin-deleted-post-list', check: checkKeysetCursor })
  async listDeletedPosts(@Query() query: DeletedPostsQuery, @ListPath() path: string): Promise<Page> {
    const page = await this.deletedPosts.page(toPageRequest(query, path), query.search);
    return Page.of(page, toDeletedPostDto);
  }

  @Get('count')
  @AdminOperation({ name: 'admin-deleted-post-count' })
  async countDeletedPosts(@Query() { search }: DeletedPostsFilterQuery): Promise<CountDto> {
    return { count: await this.deletedPosts.count(search) };
  }
}

/** A post that was deleted and can be restored, and who deleted it. */
function toDeletedPostDto({ id, title, pubDate, deletedAt, author }: DeletedPost) {
  return {
    id,
    title,
    pub_date: formatPubDate(pubDate),
    deleted_at: formatPubDate(deletedAt),
    author: toAuthorDto(author),
  };
}
