import * as accountProblems from '../accounts/accounts.problems.js';
import type { Problem, ProblemKind } from '../problem-details/problem.js';
import * as apiProblems from '../problem-details/problems.js';

/** The kinds of the problem classes of a module, by status. */
function kindsOf(module: object): ProblemKind[] {
  const kinds = new Set(Object.values(module).map(({ kind }: typeof Problem) => kind));
  return [...kinds].toSorted((a, b) => a.status - b.status || a.slug.localeCompare(b.slug));
}

/** The kinds of problem that the OpenAPI document describes; the others occur only in the administration. */
export const API_KINDS: readonly ProblemKind[] = kindsOf(apiProblems);

/** All kinds. */
export const KINDS: readonly ProblemKind[] = [...new Set([...API_KINDS, ...kindsOf(accountProblems)])];

/** The kinds that say more than their status. */
export const PROBLEM_KINDS = KINDS.filter((kind): kind is Required<ProblemKind> => kind.remedy !== undefined);
