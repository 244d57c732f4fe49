import { Body, Controller, Post } from '@nestjs/common';
import { PickType } from '@nestjs/swagger';
import type { Author } from '../http/request/author.js';
import { CurrentAuthor } from '../http/request/handler-arguments.js';
import { StreamReader } from '../http/response/response-reader.js';
import { IsIntegerBetween, Optional } from '../http/request/validation.js';
import type { ApiResponse } from '../http/response/api-response.js';
import type { Reader } from '../http/request/client-shares.js';
import { ListPostsQuery } from '../posts/dto/list-posts.query.js';
import { toFilter } from '../posts/lists/list-request.js';
import { BulkDeletionsService, type BulkSelection } from '../bulk-changes/bulk-deletions.service.js';
import { AdminOperation } from './admin-operation.js';
import { MAX_SELECTION_BYTES, PROGRESS, progressResponse } from './bulk-progress.js';
import { ArePostIds } from './input-rules.js';
import { checkSelection, IsFilterOf } from './selection-rules.js';
import { Roles } from '../http/request/roles.js';

const MEMBERS = ['search', 'title', 'pub_date_after', 'pub_date_before'] as const;

/** The filters of a list, as members of a JSON object. */
class BulkFilterDto extends PickType(ListPostsQuery, MEMBERS) {}

/** The posts to delete: `ids`, or `filter` and `count`. */
export class CreateBulkDeletionDto {
  /** The ids of the posts. Posts that no longer exist are skipped. */
  @Optional()
  @ArePostIds()
  ids?: number[];

  @Optional()
  @IsFilterOf(BulkFilterDto, MEMBERS)
  filter?: BulkFilterDto;

  /** The number of posts that match the filter. If the number has changed, no post is deleted. */
  @Optional()
  @IsIntegerBetween(0, Number.MAX_SAFE_INTEGER, 'The value must be a whole number, 0 or more.')
  count?: number;
}

@Controller('admin/api/bulk-deletions')
export class BulkDeletionsController {
  constructor(private readonly deletions: BulkDeletionsService) {}

  /**
   * Deletes in batches, between which other requests run. The response reports the progress after each batch. It ends
   * when the client disconnects. Posts that are created meanwhile are not deleted.
   */
  @Post()
  @Roles('editor')
  @AdminOperation({
    name: 'admin-bulk-deletion-list',
    maxBodyBytes: MAX_SELECTION_BYTES,
    check: checkSelection('ids', 'filter'),
    produces: PROGRESS,
  })
  async deleteInBulk(
    @Body() body: CreateBulkDeletionDto,
    @CurrentAuthor() author: Author,
    @StreamReader() openReader: () => Reader,
  ): Promise<ApiResponse> {
    return progressResponse(await this.deletions.prepare(toSelection(body), author, openReader));
  }
}

function toSelection({ ids, filter, count }: CreateBulkDeletionDto): BulkSelection {
  return ids ? { ids } : { filter: toFilter(filter!), count: count! };
}
