import { Body, Controller, Post, Query } from '@nestjs/common';
import type { BulkProgress } from '../bulk-changes/bulk-actions.js';
import { BulkDeletionsService } from '../bulk-changes/bulk-deletions.service.js';
import { DeletedPostsService, type DeletedSelection } from '../bulk-changes/deleted-posts.service.js';
import { NDJSON_TYPE } from '../http/protocol/media-type.js';
import type { Author } from '../http/request/author.js';
import type { Reader } from '../http/request/client-shares.js';
import { CurrentAuthor } from '../http/request/handler-arguments.js';
import { Roles } from '../http/request/roles.guard.js';
import { IsIntegerBetween } from '../http/request/validation.js';
import type { ApiResponse } from '../http/response/api-response.js';
import { StreamReader } from '../http/response/response-reader.js';
import { ImportUndoService } from '../imports/import-undo.service.js';
import { toFilter } from '../posts/lists/list-request.js';
import { AdminOperation, streamed } from './admin-operation.js';
import {
  checkSelection,
  DeletedPostsFilterQuery,
  DeletedPostSelectionDto,
  MAX_SELECTION_BYTES,
  PostFilterQuery,
  PostSelectionDto,
} from './post-selection.dto.js';

class UndoneImportDto {
  /** The entry of the change log for the import. */
  @IsIntegerBetween(1, Number.MAX_SAFE_INTEGER)
  entry!: number;
}

const BULK = { maxBodyBytes: MAX_SELECTION_BYTES, produces: [{ mediaType: NDJSON_TYPE }] } as const;
const OF_SELECTION = { ...BULK, check: checkSelection } as const;

/**
 * Changes of many posts, in batches between which other requests run. The response has one object a line, after each
 * batch: `done` of `total`. The last line has `entry`: the entry of the change log for all of the posts, or null for at
 * most one post. The change ends when the client disconnects. Posts that others changed meanwhile are skipped.
 */
@Controller('admin/api')
export class BulkChangesController {
  constructor(
    private readonly deletions: BulkDeletionsService,
    private readonly deletedPosts: DeletedPostsService,
    private readonly undos: ImportUndoService,
  ) {}

  /** Posts that are created meanwhile are not deleted. */
  @Post('bulk-deletions')
  @Roles('editor')
  @AdminOperation({ ...OF_SELECTION, name: 'admin-bulk-deletion-list' })
  async deletePosts(
    @Body() { ids, count = 0 }: PostSelectionDto,
    @Query() query: PostFilterQuery,
    @CurrentAuthor() author: Author,
    @StreamReader() openReader: () => Reader,
  ): Promise<ApiResponse> {
    const selection = ids ? { ids } : { filter: toFilter(query), count };
    return progressResponse(await this.deletions.prepare(selection, author, openReader));
  }

  /** Under the same ids, with the content that they had, and with new ETags. */
  @Post('restorations')
  @Roles('editor')
  @AdminOperation({ ...OF_SELECTION, name: 'admin-restoration-list' })
  async restorePosts(
    @Body() body: DeletedPostSelectionDto,
    @Query() query: DeletedPostsFilterQuery,
    @CurrentAuthor() author: Author,
  ): Promise<ApiResponse> {
    return progressResponse(await this.deletedPosts.prepareRestoration(toSelection(body, query), author));
  }

  /** With all their revisions; they cannot be restored. The change log keeps one entry. */
  @Post('purges')
  @Roles('administrator')
  @AdminOperation({ ...OF_SELECTION, name: 'admin-purge-list' })
  async purgePosts(
    @Body() body: DeletedPostSelectionDto,
    @Query() query: DeletedPostsFilterQuery,
    @CurrentAuthor() author: Author,
  ): Promise<ApiResponse> {
    return progressResponse(await this.deletedPosts.preparePurge(toSelection(body, query), author));
  }

  /** Deletes what an import has created, and restores what it has replaced. */
  @Post('import-undos')
  @Roles('editor')
  @AdminOperation({ ...BULK, name: 'admin-import-undo-list' })
  async undoImport(
    @Body() { entry }: UndoneImportDto,
    @CurrentAuthor() author: Author,
  ): Promise<ApiResponse> {
    return progressResponse(await this.undos.prepare(entry, author));
  }
}

function toSelection(
  { ids, entry, count = 0 }: DeletedPostSelectionDto,
  { search }: DeletedPostsFilterQuery,
): DeletedSelection {
  if (ids) return { ids };
  return entry === undefined ? { search, count } : { entry };
}

/** 200 with one line per step, as it happens. The change continues while the client reads. */
function progressResponse(progress: AsyncGenerator<BulkProgress>): ApiResponse {
  return streamed(NDJSON_TYPE, async function* () {
    for await (const step of progress) yield `${JSON.stringify(step)}\n`;
  });
}
