import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { JSON_TYPE, NDJSON_TYPE } from '../../http/protocol/media-type.js';
import type { Author } from '../../http/request/author.js';
import { CurrentAuthor, StreamReader } from '../../http/request/handler-arguments.js';
import type { Reader } from '../../http/response/response-reader.js';
import { StreamedResponse } from '../../http/response/streamed-response.js';
import { UNKNOWN_PARAMETER } from '../../openapi/problem-response.js';
import { TAGS } from '../../openapi/tags.js';
import { toFilter } from '../../posts/lists/list-request.js';
import {
  BulkDeletionsService,
  type BulkProgress,
  type BulkSelection,
  CountHasChanged,
} from '../../posts/writes/bulk-deletions.service.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { AdminOperation, NO_STORE } from '../admin-operation.js';
import { checkSelection, CreateBulkDeletionDto } from './bulk-deletion.dto.js';

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

@ApiTags(TAGS.bulk)
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
