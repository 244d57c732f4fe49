import { Documented } from '../../openapi/documented.decorator.js';
import { DATABASE_BUSY } from '../../openapi/problem-samples.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { PUB_DATE_RULE } from '../../posts/pub-date.js';
import { aJson } from '../json-answers.docs.js';
import { MonthDto } from './month.dto.js';
import { MonthsQuery } from './months.query.js';

export function DocumentsListMonths(): MethodDecorator {
  return Documented({
    summary: 'Count posts by months',
    description: 'The months that have posts, newest first.',
    query: MonthsQuery,
    answers: { 200: aJson('The months.', [MonthDto], [{ month: '2026-11', posts: 12 }]) },
    problems: {
      faultyDate: new InvalidRequest([{ detail: PUB_DATE_RULE, parameter: 'pub_date_after' }]),
      databaseBusy: DATABASE_BUSY,
    },
  });
}
