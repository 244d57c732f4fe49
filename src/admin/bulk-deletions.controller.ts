import { Body, Controller, Post } from '@nestjs/common';
import { ApiPropertyOptional, ApiTags, PickType } from '@nestjs/swagger';
import { validateSync } from 'class-validator';
import { JSON_TYPE, NDJSON_TYPE } from '../http/protocol/media-type.js';
import type { Author } from '../http/request/author.js';
import { CurrentAuthor, StreamReader } from '../http/request/handler-arguments.js';
import type { InputCheck } from '../http/request/input-reader.js';
import { IsIntegerBetween, Optional, validator } from '../http/request/validation.js';
import type { Reader } from '../http/response/response-reader.js';
import { StreamedResponse } from '../http/response/streamed-response.js';
import { ClosedSchema } from '../openapi/document-types.js';
import { UNKNOWN_PARAMETER } from '../openapi/problem-response.js';
import { ListPostsQuery } from '../posts/dto/list-posts.query.js';
import { toFilter } from '../posts/lists/list-request.js';
import {
  BulkDeletionsService,
  type BulkProgress,
  type BulkSelection,
  CountHasChanged,
} from '../posts/writes/bulk-deletions.service.js';
import { InvalidRequest } from '../problem-details/problems.js';
import { AdminOperation, NO_STORE } from './admin-operation.js';
import { ArePostIds, POST_IDS_SCHEMA } from './input-rules.js';

const MEMBERS = ['search', 'title', 'pub_date_after', 'pub_date_before'] as const;

const RULE = `The value must be an object with some of the members ${MEMBERS.join(', ')}, each a text that is not empty.`;

/** The filters of a list, as members of a JSON object. */
@ClosedSchema('BulkFilter', 'The filters of a list, with the same meaning. Without a filter, all posts.')
class BulkFilterDto extends PickType(ListPostsQuery, MEMBERS) {}

function IsBulkFilter(): PropertyDecorator {
  return validator(
    'malformed',
    (value) => faultOf(value) === undefined,
    (value) => faultOf(value) ?? '',
  );
}

function faultOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return RULE;
  if (!Object.entries(value).every(isKnown)) return RULE;
  const [fault] = validateSync(Object.assign(new BulkFilterDto(), value));
  return fault && `${fault.property}: ${Object.values(fault.constraints ?? {})[0]}`;
}

function isKnown([name, text]: [string, unknown]): boolean {
  return (MEMBERS as readonly string[]).includes(name) && typeof text === 'string' && text !== '';
}

@ClosedSchema('NewBulkDeletion', 'The posts to delete: `ids`, or `filter` and `count`.')
export class CreateBulkDeletionDto {
  @Optional()
  @ArePostIds()
  @ApiPropertyOptional({
    ...POST_IDS_SCHEMA,
    description: 'The ids of the posts. Posts that no longer exist are skipped.',
  })
  ids?: number[];

  @Optional()
  @IsBulkFilter()
  @ApiPropertyOptional({ type: BulkFilterDto })
  filter?: BulkFilterDto;

  @Optional()
  @IsIntegerBetween(0, Number.MAX_SAFE_INTEGER, 'The value must be a whole number, 0 or more.')
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'The number of posts that match the filter. If the number has changed, no post is deleted.',
    example: 128,
  })
  count?: number;
}

/** Accepts either a list of ids, or a filter with the count that the user confirmed. */
const checkSelection: InputCheck<{ body: CreateBulkDeletionDto }> = ({ body }, _context, found) => {
  if (found.length > 0) return [];
  if ((body.ids === undefined) === (body.filter === undefined)) {
    const code = body.ids === undefined ? 'required' : 'mutually_exclusive';
    return [{ detail: 'Either ids or filter must say which posts are meant.', code, pointer: '' }];
  }
  if ((body.filter === undefined) !== (body.count === undefined)) {
    const code = body.count === undefined ? 'required' : 'mutually_exclusive';
    return [{ detail: 'A filter requires count, and count requires a filter.', code, pointer: '/count' }];
  }
  return [];
};

/** 200 with one line per step, as it happens. The deletion continues while the client reads. */
function progressResponse(run: () => AsyncGenerator<BulkProgress>): StreamedResponse {
  return new StreamedResponse({ 'Content-Type': NDJSON_TYPE, ...NO_STORE }, undefined, {
    async *chunks() {
      for await (const step of run()) yield `${JSON.stringify(toDto(step))}\n`;
    },
    close: () => Promise.resolve(),
  });
}

function toDto({ deleted, total, ids }: BulkProgress): object {
  return ids ? { deleted, total, done: true, post_ids: ids } : { deleted, total };
}

@ApiTags('bulk')
@Controller('admin/api/bulk-deletions')
export class BulkDeletionsController {
  constructor(private readonly deletions: BulkDeletionsService) {}

  @Post()
  @AdminOperation({
    name: 'admin-bulk-deletion-list',
    access: 'editor',
    check: checkSelection,
    respond: progressResponse,
    summary: 'Delete many posts',
    description:
      'Deletes in batches, between which other requests run. The response reports the progress after each batch. It ends when the client disconnects. Posts that are created meanwhile are not deleted.',
    body: {
      content: {
        [JSON_TYPE]: {
          type: CreateBulkDeletionDto,
          examples: {
            ids: { summary: 'A selection', value: { ids: [7, 9] } },
            filter: { summary: 'All that match', value: { filter: { search: 'heron' }, count: 128 } },
          },
        },
      },
    },
    responses: {
      200: {
        description:
          'The progress, an object a line: `deleted` of `total`. Posts that another client changed or deleted meanwhile stay as they are. The last line has `done`, and in `post_ids` the posts that are gone, or the first thousand, to restore them by.',
        headers: ['Cache-Control', 'Vary'],
        content: {
          [NDJSON_TYPE]: {
            type: { type: 'string' },
            example:
              '{"deleted":200,"total":201}\n{"deleted":201,"total":201}\n{"deleted":201,"total":201,"done":true,"post_ids":[7,9]}\n',
          },
        },
      },
    },
    problems: {
      faultySelection: new InvalidRequest([
        { detail: 'Either ids or filter must say which posts are meant.', code: 'required', pointer: '' },
      ]),
      unknownParameter: UNKNOWN_PARAMETER,
      countHasChanged: new CountHasChanged(128, 130),
    },
  })
  deleteInBulk(
    @Body() body: CreateBulkDeletionDto,
    @CurrentAuthor() author: Author,
    @StreamReader() openReader: () => Reader,
  ): Promise<() => AsyncGenerator<BulkProgress>> {
    return this.deletions.prepare(toSelection(body), author, openReader);
  }
}

function toSelection({ ids, filter, count }: CreateBulkDeletionDto): BulkSelection {
  return ids ? { ids } : { filter: toFilter(filter!), count: count! };
}
