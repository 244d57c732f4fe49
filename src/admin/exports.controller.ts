import { Body, Controller, Post } from '@nestjs/common';
import { PickType } from '@nestjs/swagger';
import { AuditService } from '../history/audit.service.js';
import { CSV_TYPE, NDJSON_TYPE } from '../http/protocol/media-type.js';
import type { Author } from '../http/request/author.js';
import { CurrentAuthor } from '../http/request/handler-arguments.js';
import { StreamReader } from '../http/response/response-reader.js';
import { IsIn } from 'class-validator';
import { Optional } from '../http/request/validation.js';
import type { Reader } from '../http/request/client-shares.js';
import { ApiResponse, type BodyStream } from '../http/response/api-response.js';
import { ListPostsQuery } from '../posts/dto/list-posts.query.js';
import { PostDto } from '../posts/dto/post.dto.js';
import { POST_FIELDS } from '../posts/lists/list-fields.js';
import type { Post as StoredPost } from '../posts/post.entity.js';
import { toFilter } from '../posts/lists/list-request.js';
import { type StreamedList, PostListsService } from '../posts/lists/post-lists.service.js';
import { AdminOperation, NO_STORE, NOTHING } from './admin-operation.js';
import { MAX_SELECTION_BYTES } from './bulk-progress.js';
import { ArePostIds } from './input-rules.js';
import { IsFilterOf } from './selection-rules.js';
import { spreadsheetRow } from './spreadsheet-csv.js';
import { Roles } from '../http/request/roles.js';

const FORMATS = ['csv', 'ndjson'] as const;
type Format = (typeof FORMATS)[number];

const MEMBERS = ['search', 'title', 'pub_date_after', 'pub_date_before'] as const;

/** The filters of a list, with the same meaning. Without a filter, all posts. */
class ExportFilterDto extends PickType(ListPostsQuery, MEMBERS) {}

/** The posts to export: `ids` or a `filter`, or all. */
export class CreateExportDto {
  /** `csv` is for spreadsheets: no cell is run as a formula. */
  @IsIn(FORMATS)
  format!: Format;

  @Optional()
  @ArePostIds()
  ids?: number[];

  @Optional()
  @IsFilterOf(ExportFilterDto, MEMBERS)
  filter?: ExportFilterDto;
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

/** An export and how to write it. */
interface Export {
  readonly list: StreamedList;
  readonly writer: Writer;
  readonly onEnd: (posts: number) => Promise<void>;
}

function exportResponse({ list, writer, onEnd }: Export): ApiResponse {
  const headers = {
    'Content-Type': writer.mediaType,
    'X-Total-Count': String(list.total),
    ...NO_STORE,
  };
  const body: BodyStream = {
    async *chunks() {
      let posts = 0;
      try {
        yield writer.head;
        for await (const batch of list.posts.batches()) {
          yield batch.map((post) => writer.line(PostDto.from(post as StoredPost))).join('');
          posts += batch.length;
        }
      } finally {
        // Also of an export that has been stopped.
        await onEnd(posts);
      }
    },
    close: () => list.posts.close(),
  };
  return new ApiResponse({ headers, body });
}

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
    @Body() { format, ids, filter = {} }: CreateExportDto,
    @CurrentAuthor() author: Author,
    @StreamReader() openReader: () => Reader,
  ): Promise<ApiResponse> {
    const list = await this.lists.stream(
      {
        filter: toFilter(ids ? { id: ids } : filter),
        ordering: 'id',
        limit: 1,
        offset: 0,
        cursor: undefined,
        fields: undefined,
      },
      true,
      openReader,
    );
    const chosen = ids ? 'selected by hand' : filterText(filter);
    const onEnd = async (posts: number): Promise<void> => {
      const share = posts === list.total ? `${posts}` : `${posts} of ${list.total}`;
      const detail = `${format.toUpperCase()}, ${share} ${list.total === 1 ? 'post' : 'posts'}, ${chosen}`;
      await this.audit.recordAlone({ action: 'exported', author, detail });
    };
    return exportResponse({ list, writer: WRITERS[format], onEnd });
  }
}

function filterText(filter: ExportFilterDto): string {
  const parts = Object.entries(filter).map(([name, value]) => `${name}=${value}`);
  return parts.join(', ') || 'all';
}
