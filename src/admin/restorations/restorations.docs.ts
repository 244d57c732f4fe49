import { JSON_TYPE } from '../../http/media-types.js';
import { Documented } from '../../openapi/documented.decorator.js';
import { DATABASE_BUSY } from '../../openapi/problem-samples.js';
import { DeletedPostNotFound, PostsNotDeleted } from '../../posts/history/history.problems.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { aCreation, aJson } from '../json-answers.docs.js';
import { CreateRestorationDto, RestorationDto } from './restoration.dto.js';

const RESTORED = aJson(
  'They are there again. Of one post `Location` says where; of several, where all posts are.',
  RestorationDto,
  { restored: [7, 9] },
);

export function DocumentsRestorePosts(): MethodDecorator {
  return Documented({
    summary: 'Restore deleted posts',
    description:
      'Under the same ids and as they were when they were deleted, but with ETags that they never had before.',
    body: { content: { [JSON_TYPE]: { type: CreateRestorationDto, example: { post_ids: [7, 9] } } } },
    answers: { 201: aCreation(RESTORED) },
    problems: {
      faultyIds: new InvalidRequest([{ detail: 'The field is required.', pointer: '/post_ids' }]),
      notDeleted: new PostsNotDeleted([9]),
      unknownPost: new DeletedPostNotFound([7]),
      databaseBusy: DATABASE_BUSY,
    },
  });
}
