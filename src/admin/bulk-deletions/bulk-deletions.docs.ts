import { JSON_TYPE, NDJSON_TYPE } from '../../http/media-types.js';
import { Documented } from '../../openapi/documented.decorator.js';
import { DATABASE_BUSY, UNKNOWN_PARAMETER } from '../../openapi/problem-samples.js';
import { CountHasChanged } from '../../posts/bulk/bulk.problems.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { CreateBulkDeletionDto } from './bulk-deletion.dto.js';

export function DocumentsDeleteInBulk(): MethodDecorator {
  return Documented({
    summary: 'Delete many posts',
    description:
      'In batches, between which others read and write. The answer says after each of them how far it is; a client that leaves ends it. Posts that are made meanwhile are not deleted.',
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
    answers: {
      200: {
        description:
          'How far it is, an object a line: how many are `deleted` of how many in `total`. Posts that somebody else changed or deleted meanwhile stay as they are. The last line has `done`, and in `post_ids` the posts that are gone, or the first thousand, to restore them by.',
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
        { detail: 'Either ids or filter must say which posts are meant.', pointer: '' },
      ]),
      unknownParameter: UNKNOWN_PARAMETER,
      countHasChanged: new CountHasChanged(128, 130),
      databaseBusy: DATABASE_BUSY,
    },
  });
}
