import { Documented } from '../../openapi/documented.decorator.js';
import { DATABASE_BUSY } from '../../openapi/problem-samples.js';
import { aList, FAULTY_LIST_QUERY } from '../json-answers.docs.js';
import { CHANGE, IMPORT } from '../history-samples.docs.js';
import { ChangeDto } from './change.dto.js';
import { ChangesQuery } from './changes.query.js';

export function DocumentsListChanges(): MethodDecorator {
  return Documented({
    summary: 'List what was changed',
    description:
      'The log of all changes, whatever way they came in, newest first. Posts that one author made together are one entry, and so is an import.',
    query: ChangesQuery,
    answers: { 200: aList('The entries.', ChangeDto, [CHANGE, IMPORT]) },
    problems: { faultyQuery: FAULTY_LIST_QUERY, databaseBusy: DATABASE_BUSY },
  });
}
