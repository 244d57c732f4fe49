import { InvalidRequest } from '../problem-details/problems.js';

/** What an operation without a query answers to one. */
export const UNKNOWN_PARAMETER = new InvalidRequest([
  { detail: 'The parameter is not known; none is here.', parameter: 'colour' },
]);
