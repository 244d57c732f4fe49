import { Body, Controller, Post, Query } from '@nestjs/common';
import { AuditService } from '../history/audit.service.js';
import { CSV_TYPE, NDJSON_TYPE } from '../http/protocol/media-type.js';
import type { Author } from '../http/request/author.js';
import { CurrentAuthor } from '../http/request/handler-arguments.js';
import { StreamReader } from '../http/response/response-reader.js';
import { IsIn } from 'class-validator';
import type { Reader } from '../http/request/client-shares.js';
import type { ApiResponse } from '../http/response/api-response.js';
import { PostDto } from '../posts/dto/post.dto.js';
import { POST_FIELDS } from '../posts/lists/list-fields.js';
import type { Post as StoredPost } from '../posts/post.entity.js';
import { toFilter } from '../posts/lists/list-request.js';
import { PostListsService } from '../posts/lists/post-lists.service.js';
import { AdminOperation, NOTHING, streamed } from './admin-operation.js';
import { ArePostIds, MAX_SELECTION_BYTES, PostFilterQuery } from './post-selection.dto.js';
import { spreadsheetRow } from './spreadsheet-csv.js';
import { Roles } from '../http/request/roles.guard.js';

const FORMATS = ['csv', 'ndjson'] as const;
type Format = (typeof FORMATS)[number];

/** The posts to export: `ids`, or all that the filters in the query select. */
export class CreateExportDto {
  /** `csv` is for spreadsheets: no cell is run as a formula. */
  @IsIn(FORMATS)
  format!: Format;

  @ArePostIds()
  ids?: number[];
}

/** The byte order mark with which spreadsheets detect the encoding. */
const BYTE_ORDER_MARK = '\ufeff';

interface Writer {
  readonly mediaType: string;
  readonly head: string;
  readonly line: (post: PostDto) => string;
}

const WRITERS: Readonly<Record<Format, Writer>> = {
  csv: {
    mediaType: `${CSV_TYPE}; charset=utf-8`,
    head: BYTE_ORDER_MARK + spreadsheetRow(POST_FIELDS),
    line: (post) => spreadsheetRow(POST_FIELDS.map((field) => String(post[field]))),
  },
  ndjson: { mediaType: NDJSON_TYPE, head: '', line: (post) => `${JSON.stringify(post)}\n` },
};

@Controller('admin/api/exports')
export class ExportsController {
  constructor(
    private readonly lists: PostListsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Streams the posts as of one moment. The change log gets an entry with the format, the number of posts and the
   * filter.
   */
  @Post()
  @Roles('viewer')
  @AdminOperation({
    name: 'admin-export-list',
    maxBodyBytes: MAX_SELECTION_BYTES,
    produces: NOTHING,
  })
  async exportPosts(
    @Body() { format, ids }: CreateExportDto,
    @Query() filter: PostFilterQuery,
    @CurrentAuthor() author: Author,
    @StreamReader() openReader: () => Reader,
  ): Promise<ApiResponse> {
    const selection = { filter: toFilter(ids ? { id: ids } : filter), ordering: 'id' } as const;
    const { posts, total } = await this.lists.stream(selection, true, openReader);
    const chosen = ids ? 'selected by hand' : filterText(filter);
    const record = (done: number): Promise<void> => {
      const share = done === total ? `${done}` : `${done} of ${total}`;
      const detail = `${format.toUpperCase()}, ${share} ${total === 1 ? 'post' : 'posts'}, ${chosen}`;
      return this.audit.recordAlone({ action: 'exported', author, detail });
    };
    const { mediaType, head, line } = WRITERS[format];
    async function* chunks(): AsyncGenerator<string> {
      let done = 0;
      try {
        yield head;
        for await (const batch of posts.batches()) {
          yield batch.map((post) => line(PostDto.from(post as StoredPost))).join('');
          done += batch.length;
        }
      } finally {
        // Also of an export that has been stopped.
        await record(done);
      }
    }
    return streamed(mediaType, chunks, { 'X-Total-Count': String(total) }, () => posts.close());
  }
}

function filterText(filter: PostFilterQuery): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const parts = given.map(([name, value]) => `${name}=${value}`);
  return parts.join(', ') || 'all';
}
