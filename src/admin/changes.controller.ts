import { Controller, Get, Param, Query } from '@nestjs/common';
import { ChangesService } from '../history/changes.service.js';
import type { LoggedChange } from '../history/post-revision.entity.js';
import { CSV_TYPE, JSON_TYPE } from '../http/protocol/media-type.js';
import { ChosenRepresentation, CurrentUser, ListPath } from '../http/request/handler-arguments.js';
import { KeysetQuery, toKeysetRequest } from '../http/request/keyset-page.js';
import type { User } from '../http/request/author.js';
import type { Reader } from '../limits/client-quota.js';
import type { ApiResponse } from '../http/response/api-response.js';
import { StreamReader } from '../http/response/response-reader.js';
import { Page } from '../http/response/to-response.js';
import { csvRecord } from '../posts/formats/list-representations.js';
import { AdminOperation, streamed } from './admin-operation.js';
import { IdPathDto, toPageRequest } from './input-rules.js';
import {
  type ChangeDto,
  ChangesFilterQuery,
  ChangesQuery,
  isForAdministrators,
  toChangeDto,
  toChangedPostDto,
  toChangeFilter,
} from './change.dto.js';
import type { CountDto } from './deleted-posts.controller.js';
import { Roles } from '../http/request/roles.guard.js';

const CSV_COLUMNS = [
  'id',
  'at',
  'action',
  'author_kind',
  'author_name',
  'address',
  'post_id',
  'last_post_id',
  'post_count',
  'title',
  'subject',
  'detail',
  'count',
] as const;

const REPRESENTATIONS = [JSON_TYPE, CSV_TYPE].map((mediaType) => ({ mediaType }));

@Controller('admin/api/changes')
@Roles('viewer')
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  /**
   * The log of all changes, of log-ins, accounts, tokens, imports and exports, newest first. Posts that one author
   * made together are one entry, and so are an import and what one action did to many posts. CSV streams all that is
   * selected.
   */
  @Get()
  @AdminOperation({ name: 'admin-change-list', produces: REPRESENTATIONS })
  async listChanges(
    @Query() query: ChangesQuery,
    @CurrentUser() user: User,
    @ListPath() path: string,
    @ChosenRepresentation() { mediaType }: { readonly mediaType: string },
    @StreamReader() openReader: () => Reader,
  ): Promise<Page | ApiResponse> {
    const filter = toChangeFilter(query, user);
    const toDto = (change: LoggedChange): ChangeDto => toChangeDto(change, isForAdministrators(user));
    if (mediaType === CSV_TYPE)
      return streamed(`${CSV_TYPE}; charset=utf-8`, () =>
        csvOf(this.changes.findAll(filter, openReader()), toDto),
      );
    return Page.of(await this.changes.findPage(filter, toPageRequest(query, path), openReader()), toDto);
  }

  @Get('count')
  @AdminOperation({ name: 'admin-change-count' })
  async countChanges(
    @Query() query: ChangesFilterQuery,
    @CurrentUser() user: User,
    @StreamReader() openReader: () => Reader,
  ): Promise<CountDto> {
    return { count: await this.changes.count(toChangeFilter(query, user), openReader()) };
  }

  /**
   * The newest first. For posts that were created together, the list contains those that still exist. For a change of
   * many posts, it contains all of them.
   */
  @Get(':id/posts')
  @AdminOperation({ name: 'admin-changed-post-list' })
  async listChangedPosts(
    @Param() { id }: IdPathDto,
    @Query() query: KeysetQuery,
    @ListPath() path: string,
  ): Promise<Page> {
    const page = await this.changes.findPosts(id, toKeysetRequest(query, path));
    return Page.of(page, toChangedPostDto);
  }
}

/** All selected entries, which are read in batches. */
async function* csvOf(
  changes: AsyncIterable<readonly LoggedChange[]>,
  toDto: (change: LoggedChange) => ChangeDto,
): AsyncGenerator<string> {
  yield csvRecord(CSV_COLUMNS);
  for await (const batch of changes) yield batch.map((change) => toRecord(toDto(change))).join('');
}

function toRecord({ author, ...change }: ChangeDto): string {
  const values = { ...change, author_kind: author.kind, author_name: author.name };
  return csvRecord(CSV_COLUMNS.map((column) => String(values[column] ?? '')));
}
