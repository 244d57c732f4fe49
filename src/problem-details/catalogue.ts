import * as accountProblems from '../accounts/accounts.problems.js';
import type { Problem, ProblemKind } from './problem.js';
import * as apiProblems from './problems.js';

/** The kinds of the problem classes that a file exports, by status. */
function kindsOf(classes: object): ProblemKind[] {
  const kinds = new Set((Object.values(classes) as (typeof Problem)[]).map(({ kind }) => kind));
  return [...kinds].toSorted((a, b) => a.status - b.status || a.slug.localeCompare(b.slug));
}

/** The kinds of problem that the OpenAPI document describes; the others occur only in the administration. */
export const API_KINDS: readonly ProblemKind[] = kindsOf(apiProblems);

const KINDS = [...new Set([...API_KINDS, ...kindsOf(accountProblems)])];

/** The kinds that say more than their status. */
export const PROBLEM_KINDS = KINDS.filter((kind): kind is Required<ProblemKind> => kind.remedy !== undefined);

/** The others: plain HTTP conditions. */
export const PLAIN_KINDS = KINDS.filter(({ remedy }) => remedy === undefined);
