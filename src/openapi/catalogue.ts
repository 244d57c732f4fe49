import * as accountProblems from '../accounts/accounts.problems.js';
import type { Problem, ProblemKind } from '../problem-details/problem.js';
import * as apiProblems from '../problem-details/problems.js';

type ProblemClass = typeof Problem;

/** The kinds of problem classes, by status. */
function kindsOf(classes: readonly ProblemClass[]): ProblemKind[] {
  const kinds = new Set(classes.map(({ kind }) => kind));
  return [...kinds].toSorted((a, b) => a.status - b.status || a.slug.localeCompare(b.slug));
}

/** The kinds of problem that the OpenAPI document describes; the others occur only in the administration. */
export const API_KINDS: readonly ProblemKind[] = kindsOf(Object.values(apiProblems) as ProblemClass[]);

/** All kinds. */
export const KINDS: readonly ProblemKind[] = [
  ...new Set([...API_KINDS, ...kindsOf(Object.values(accountProblems) as ProblemClass[])]),
];

/** The kinds that say more than their status. */
export const PROBLEM_KINDS = KINDS.filter((kind): kind is Required<ProblemKind> => kind.remedy !== undefined);
