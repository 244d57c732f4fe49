import { Documented } from '../../openapi/documented.decorator.js';
import { DATABASE_BUSY, UNKNOWN_PARAMETER } from '../../openapi/problem-samples.js';
import { DeletedPostNotFound } from '../../posts/history/history.problems.js';
import { POST_ID } from '../../posts/posts.docs.js';
import { aList, FAULTY_LIST_QUERY } from '../json-answers.docs.js';
import { DELETED_POST } from '../history-samples.docs.js';
import { DeletedPostDto } from './deleted-post.dto.js';
import { DeletedPostsQuery } from './deleted-posts.query.js';

export function DocumentsListDeletedPosts(): MethodDecorator {
  return Documented({
    summary: 'List deleted posts',
    description: 'Those that can be restored, the last deletion first. They are kept for HISTORY_DAYS.',
    query: DeletedPostsQuery,
    answers: { 200: aList('The deleted posts.', DeletedPostDto, [DELETED_POST]) },
    problems: { faultyQuery: FAULTY_LIST_QUERY, databaseBusy: DATABASE_BUSY },
  });
}

export function DocumentsPurgePost(): MethodDecorator {
  return Documented({
    summary: 'Remove a deleted post for good',
    description:
      'With all of its revisions: nobody can restore it any more. The log keeps that it was removed, and by whom.',
    parameters: [POST_ID],
    answers: { 204: { description: 'Nothing of the post is left.', headers: ['Cache-Control'] } },
    problems: {
      unknownParameter: UNKNOWN_PARAMETER,
      notDeleted: new DeletedPostNotFound([7]),
      databaseBusy: DATABASE_BUSY,
    },
  });
}
