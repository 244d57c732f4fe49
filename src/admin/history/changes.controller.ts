import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ChangeNotFound, HistoryService } from '../../history/history.service.js';
import type { LoggedChange } from '../../history/post-revision.entity.js';
import { CSV_TYPE, JSON_TYPE, NDJSON_TYPE } from '../../http/protocol/media-type.js';
import { ChosenRepresentation, ListPath } from '../../http/request/handler-arguments.js';
import { checkKeysetCursor, KeysetQuery, toKeysetRequest } from '../../http/request/keyset-page.js';
import type { RequestContext } from '../../http/request/request-context.js';
import { IdPath } from '../../http/request/validation.js';
import type { ApiResponse } from '../../http/response/api-response.js';
import { documentResponse, Page } from '../../http/response/document-response.js';
import { StreamedResponse } from '../../http/response/streamed-response.js';
import { csvRecord } from '../../posts/formats/list-representations.js';
import { AdminOperation, aList, FAULTY_LIST_QUERY, NO_STORE } from '../admin-operation.js';
import { CHANGE_EXAMPLES, ChangedPostDto, ChangeDto, ChangesQuery, toChangeFilter } from './change.dto.js';

class ChangePath {
  @IdPath({ description: 'The entry.', example: 1202 })
  id!: number;
}

/** Reads all selected entries, in batches. */
type AllChanges = () => AsyncIterable<readonly LoggedChange[]>;

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

const LIST = aList('The entries.', ChangeDto, CHANGE_EXAMPLES);
const LINES = {
  [NDJSON_TYPE]: {
    type: { type: 'string' },
    example: `${CHANGE_EXAMPLES.map((change) => JSON.stringify(change)).join('\n')}\n`,
  },
  [CSV_TYPE]: { type: { type: 'string' }, example: CHANGE_EXAMPLES.map(toRecord).join('') },
} as const;

@ApiTags('history')
@Controller('admin/api/changes')
export class ChangesController {
  constructor(private readonly history: HistoryService) {}

  @Get()
  @AdminOperation({
    name: 'admin-change-list',
    access: 'viewer',
    summary: 'List changes',
    description:
      'The log of all changes, of log-ins, accounts, tokens, imports and exports, newest first. Posts that one author made together are one entry, and so are an import and what one action did to many posts. NDJSON and CSV stream all that is selected.',
    check: checkKeysetCursor,
    responses: { 200: { ...LIST, content: { ...LIST.content, ...LINES } } },
    problems: { faultyQuery: FAULTY_LIST_QUERY },
    respond: changesResponse,
  })
  async listChanges(
    @Query() query: ChangesQuery,
    @ListPath() path: string,
    @ChosenRepresentation() { mediaType }: { readonly mediaType: string },
  ): Promise<Page | AllChanges> {
    if (mediaType !== JSON_TYPE) return () => this.history.allChanges(toChangeFilter(query));
    const page = await this.history.changesOf(toChangeFilter(query), toKeysetRequest(query, path));
    return Page.of(page, (change) => ChangeDto.from(change));
  }

  @Get(':id/posts')
  @AdminOperation({
    name: 'admin-changed-post-list',
    access: 'viewer',
    summary: 'List the posts of an entry',
    description:
      'The newest first. For posts that were created together, the list contains those that still exist. For a change of many posts, it contains all of them.',
    check: checkKeysetCursor,
    responses: {
      200: aList('The posts.', ChangedPostDto, [{ post_id: 7, title: 'A walk along the river' }]),
    },
    problems: {
      faultyQuery: FAULTY_LIST_QUERY,
      unknownChange: new ChangeNotFound(1202),
    },
  })
  async listChangedPosts(
    @Param() { id }: ChangePath,
    @Query() query: KeysetQuery,
    @ListPath() path: string,
  ): Promise<Page> {
    const page = await this.history.postsOf(id, toKeysetRequest(query, path));
    return Page.of(page, (post) => ChangedPostDto.from(post));
  }
}

function changesResponse(
  changes: Page | AllChanges,
  context: RequestContext,
): ApiResponse | StreamedResponse {
  if (changes instanceof Page) return documentResponse(changes, context, { cacheControl: 'no-store' });
  const isCsv = context.representation!.mediaType === CSV_TYPE;
  const toLine = isCsv ? toRecord : (change: ChangeDto) => `${JSON.stringify(change)}\n`;
  return new StreamedResponse(
    { ...NO_STORE, 'Content-Type': isCsv ? `${CSV_TYPE}; charset=utf-8` : NDJSON_TYPE },
    undefined,
    {
      async *chunks() {
        let head = isCsv ? csvRecord(CSV_COLUMNS) : '';
        for await (const batch of changes()) {
          yield head + batch.map((change) => toLine(ChangeDto.from(change))).join('');
          head = '';
        }
      },
      close: () => Promise.resolve(),
    },
  );
}

function toRecord({ author, ...change }: ChangeDto): string {
  const values = { ...change, author_kind: author.kind, author_name: author.name };
  return csvRecord(CSV_COLUMNS.map((column) => String(values[column] ?? '')));
}
