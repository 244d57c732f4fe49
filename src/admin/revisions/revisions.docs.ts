import { Documented } from '../../openapi/documented.decorator.js';
import { DATABASE_BUSY, UNKNOWN_PARAMETER } from '../../openapi/problem-samples.js';
import { RevisionNotFound } from '../../posts/history/history.problems.js';
import { MAX_POST_ID } from '../../posts/post-id.js';
import { POST_ID } from '../../posts/posts.docs.js';
import { aJson, aList, FAULTY_LIST_QUERY } from '../json-answers.docs.js';
import { FIRST_REVISION, REVISION, WHOLE_REVISION } from '../history-samples.docs.js';
import { KeysetQuery } from '../keyset.query.js';
import { RevisionDto, WholeRevisionDto } from './revision.dto.js';

export function DocumentsListRevisions(): MethodDecorator {
  return Documented({
    summary: 'List what a post was',
    description:
      'Newest first, also of a deleted post. Revisions whose content is kept no more (HISTORY_DAYS) are not there.',
    query: KeysetQuery,
    parameters: [POST_ID],
    answers: { 200: aList('The revisions, without their bodies.', RevisionDto, [REVISION, FIRST_REVISION]) },
    problems: {
      faultyQuery: FAULTY_LIST_QUERY,
      unknownPost: new RevisionNotFound(7),
      databaseBusy: DATABASE_BUSY,
    },
  });
}

export function DocumentsGetRevision(): MethodDecorator {
  return Documented({
    summary: 'Read what a post was',
    parameters: [
      POST_ID,
      {
        name: 'number',
        in: 'path',
        required: true,
        description: 'The number of the revision.',
        schema: { type: 'integer', format: 'int64', minimum: 1, maximum: MAX_POST_ID, examples: [2] },
      },
    ],
    answers: { 200: aJson('The revision.', WholeRevisionDto, WHOLE_REVISION) },
    problems: {
      unknownParameter: UNKNOWN_PARAMETER,
      unknownRevision: new RevisionNotFound(7, 2),
      databaseBusy: DATABASE_BUSY,
    },
  });
}
