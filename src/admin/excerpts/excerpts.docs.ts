import { Documented } from '../../openapi/documented.decorator.js';
import { DATABASE_BUSY } from '../../openapi/problem-samples.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { aJson } from '../json-answers.docs.js';
import { ExcerptDto } from './excerpt.dto.js';
import { ExcerptsQuery } from './excerpts.query.js';

export function DocumentsListExcerpts(): MethodDecorator {
  return Documented({
    summary: 'Read how posts begin',
    query: ExcerptsQuery,
    answers: {
      200: aJson(
        'In the order of the ids, without those that are no post.',
        [ExcerptDto],
        [{ id: 7, excerpt: 'Fog in the morning, sun by noon, and a heron that would not move.' }],
      ),
    },
    problems: {
      missingIds: new InvalidRequest([{ detail: 'The ids of the posts are required.', parameter: 'id' }]),
      databaseBusy: DATABASE_BUSY,
    },
  });
}
