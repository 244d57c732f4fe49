import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { IntersectionType } from '@nestjs/swagger';
import type { DeletedPost } from '../../history/post-revision.entity.js';
import type { Author } from '../../http/request/author.js';
import { CurrentAuthor, ListPath } from '../../http/request/handler-arguments.js';
import { checkKeysetCursor } from '../../http/request/keyset-page.js';
import { IsIntegerBetween, IsStorable, Optional } from '../../http/request/validation.js';
import type { ApiResponse } from '../../http/response/api-response.js';
import { Page } from '../../http/response/to-response.js';
import { formatPubDate } from '../../posts/pub-date.js';
import { DeletedPostsService, type DeletedSelection } from '../../bulk-changes/deleted-posts.service.js';
import { AdminOperation } from '../admin-operation.js';
import { MAX_SELECTION_BYTES, PROGRESS, progressResponse } from '../bulk-progress.js';
import { ArePostIds } from '../input-rules.js';
import { PagedQuery, toPageRequest } from '../paged-query.js';
import { checkSelection, IsFilterOf } from '../selection-rules.js';
import { toAuthorDto } from './change.dto.js';
import { Roles } from '../../http/request/roles.js';

export type DeletedPostDto = ReturnType<typeof toDeletedPostDto>;

export interface CountDto {
  readonly count: number;
}

class DeletedPostsFilterDto {
  /**
   * Posts that contain all of these words in the title. The last word also matches as a prefix. Case and diacritics
   * do not matter.
   */
  @Optional()
  @IsStorable()
  search?: string;
}

/** The query of the list of deleted posts, as the client sent it. */
class DeletedPostsQuery extends IntersectionType(PagedQuery, DeletedPostsFilterDto) {}

@Controller('admin/api/deleted-posts')
export class DeletedPostsController {
  constructor(private readonly deletedPosts: DeletedPostsService) {}

  /** Deleted posts that can be restored, the last deletion first. They are kept for HISTORY_DAYS. */
  @Get()
  @Roles('viewer')
  @AdminOperation({ name: 'admin-deleted-post-list', check: checkKeysetCursor })
  async listDeletedPosts(@Query() query: DeletedPostsQuery, @ListPath() path: string): Promise<Page> {
    const page = await this.deletedPosts.page(toPageRequest(query, path), query.search);
    return Page.of(page, toDeletedPostDto);
  }

  @Get('count')
  @Roles('viewer')
  @AdminOperation({ name: 'admin-deleted-post-count' })
  async countDeletedPosts(@Query() { search }: DeletedPostsFilterDto): Promise<CountDto> {
    return { count: await this.deletedPosts.count(search) };
  }
}

/** Deleted posts: `ids`, `entry`, or `filter` and `count`. */
class DeletedPostsSelectionDto {
  /** Posts that are not deleted are skipped. */
  @Optional()
  @ArePostIds()
  ids?: number[];

  /** An entry of the change log: the posts that it deleted. */
  @Optional()
  @IsIntegerBetween(1, Number.MAX_SAFE_INTEGER)
  entry?: number;

  @Optional()
  @IsFilterOf(DeletedPostsFilterDto, ['search'])
  filter?: DeletedPostsFilterDto;

  /** The number of posts that match the filter. If the number has changed, nothing is changed. */
  @Optional()
  @IsIntegerBetween(0, Number.MAX_SAFE_INTEGER)
  count?: number;
}

const SELECTION = {
  maxBodyBytes: MAX_SELECTION_BYTES,
  check: checkSelection('ids', 'entry', 'filter'),
  produces: PROGRESS,
} as const;

function toSelection({ ids, entry, filter, count }: DeletedPostsSelectionDto): DeletedSelection {
  if (ids) return { ids };
  return entry === undefined ? { search: filter!.search, count: count! } : { entry };
}

@Controller('admin/api/restorations')
export class RestorationsController {
  constructor(private readonly deletedPosts: DeletedPostsService) {}

  /** Under the same ids, with the content that they had, and with new ETags, in batches. */
  @Post()
  @Roles('editor')
  @AdminOperation({ ...SELECTION, name: 'admin-restoration-list' })
  async restorePosts(
    @Body() body: DeletedPostsSelectionDto,
    @CurrentAuthor() author: Author,
  ): Promise<ApiResponse> {
    return progressResponse(await this.deletedPosts.prepareRestoration(toSelection(body), author));
  }
}

@Controller('admin/api/purges')
export class PurgesController {
  constructor(private readonly deletedPosts: DeletedPostsService) {}

  /** With all their revisions, in batches; they cannot be restored. The change log keeps one entry. */
  @Post()
  @Roles('administrator')
  @AdminOperation({ ...SELECTION, name: 'admin-purge-list' })
  async purgePosts(
    @Body() body: DeletedPostsSelectionDto,
    @CurrentAuthor() author: Author,
  ): Promise<ApiResponse> {
    return progressResponse(await this.deletedPosts.preparePurge(toSelection(body), author));
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
