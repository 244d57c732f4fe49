import { Body, Controller, Post, Query } from '@nestjs/common';
import { PickType } from '@nestjs/swagger';
import { BulkChangesService } from '../bulk-changes/bulk-changes.service.js';
import { AuditService } from '../history/audit.service.js';
import type { User } from '../users/user.js';
import { Access, type ApiResponse, CurrentClient, CurrentUser } from '../http/index.js';
import { IsIn } from 'class-validator';
import type { Client } from '../limits/index.js';
import { writeList } from '../posts/formats/post-list-representation.js';
import { toFilter } from '../posts/lists/list-request.js';
import { PostListsService } from '../posts/lists/post-lists.service.js';
import {
  AdminOperation,
  BULK_CHANGE,
  MAX_SELECTION_BYTES,
  NO_CONTENT,
  progressResponse,
  streamed,
} from './admin-operation.js';
import { exactlyOne, PostFilterQuery, PostSelectionDto } from './post-selection.dto.js';
import { ndjsonWithFingerprint, spreadsheet, spreadsheetWithSemicolons } from './spreadsheet-csv.js';

const FORMATS = {
  csv: spreadsheet,
  'csv-semicolon': spreadsheetWithSemicolons,
  ndjson: ndjsonWithFingerprint,
};
/** As the change log calls them. */
const FORMAT_NAMES: Readonly<Record<keyof typeof FORMATS, string>> = {
  csv: 'CSV',
  'csv-semicolon': 'CSV with semicolons',
  ndjson: 'NDJSON',
};

/** The posts to export: `ids`, or all that the filters in the query select. */
export class CreateExportDto extends PickType(PostSelectionDto, ['ids']) {
  @IsIn(Object.keys(FORMATS))
  format!: keyof typeof FORMATS;
}

/** Exports and deletes posts: those of a list, or chosen ones. */
@Controller('admin/api')
export class PostSelectionsController {
  constructor(
    private readonly lists: PostListsService,
    private readonly bulkChanges: BulkChangesService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Streams the posts as of one moment. Before them, the change log gets an entry with the format, the number of posts
   * and the filter, so that no export is missing there.
   */
  @Post('exports')
  @Access({ session: 'viewer' })
  @AdminOperation({ name: 'admin-export-list', maxBodyBytes: MAX_SELECTION_BYTES, produces: NO_CONTENT })
  async exportPosts(
    @Body() { format, ids }: CreateExportDto,
    @Query() filter: PostFilterQuery,
    @CurrentUser() { author }: User,
    @CurrentClient() client: Client,
  ): Promise<ApiResponse> {
    const selection = {
      filter: toFilter(ids ? { id: ids } : filter),
      ordering: 'id',
      separator: FORMATS[format].separator,
    } as const;
    const { posts, total } = await this.lists.stream(selection, true, client);
    const chosen = ids ? 'selected by hand' : filterText(filter);
    const detail = `${FORMAT_NAMES[format]}, ${total} ${total === 1 ? 'post' : 'posts'}, ${chosen}`;
    const { audit } = this;
    async function* chunks(): AsyncGenerator<string> {
      await audit.recordAlone({ action: 'exported', author, detail }, client);
      yield* writeList(FORMATS[format], posts.batches(), { fields: undefined }, client.name);
    }
    return streamed(FORMATS[format].contentType, chunks, { 'X-Total-Count': String(total) }, () =>
      posts.close(),
    );
  }

  /** Posts that are created meanwhile are not deleted. */
  @Post('bulk-deletions')
  @Access({ session: 'editor' })
  @AdminOperation({ ...BULK_CHANGE, name: 'admin-bulk-deletion-list' })
  async deletePosts(
    @Body() body: PostSelectionDto,
    @Query() query: PostFilterQuery,
    @CurrentUser() user: User,
    @CurrentClient() client: Client,
  ): Promise<ApiResponse> {
    const { ids, count = 0 } = exactlyOne(body);
    const selection = ids ? { ids } : { filter: toFilter(query), count };
    return progressResponse(await this.bulkChanges.deletePosts(selection, user, client));
  }
}

function filterText(filter: PostFilterQuery): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const parts = given.map(([name, value]) => `${name}=${value}`);
  return parts.join(', ') || 'all';
}
