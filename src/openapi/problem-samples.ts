import { malformedField, NOT_WHAT_IF_MATCH_NAMES } from '../http/protocol/preconditions.js';
import { InvalidRequest, PreconditionFailed, ServiceUnavailable } from '../problem-details/problems.js';

/** What an operation without a query answers to one. */
export const UNKNOWN_PARAMETER = new InvalidRequest([
  { detail: 'The parameter is not known; none is here.', code: 'unknown_parameter', parameter: 'colour' },
]);

export const MALFORMED_IF_MATCH = new InvalidRequest([malformedField('If-Match')]);

/** What a read answers whose If-Match names something else. */
export const NOT_AS_ASKED_FOR = new PreconditionFailed(NOT_WHAT_IF_MATCH_NAMES);

/** What every operation that asks the database may answer. */
export const DATABASE_BUSY = new ServiceUnavailable('The database is busy; nothing was changed.');
