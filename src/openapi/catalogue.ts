import * as accountProblems from '../accounts/accounts.problems.js';
import * as problemDetails from '../problem-details/index.js';
import { Problem, type ProblemKind } from '../problem-details/index.js';

/** The kinds of the problem classes of a module, by status. */
function kindsOf(module: Readonly<Record<string, unknown>>): ProblemKind[] {
  const kinds = new Set(
    Object.values(module)
      .filter(isProblemClass)
      .map(({ kind }) => kind),
  );
  return [...kinds].toSorted((a, b) => a.status - b.status || a.slug.localeCompare(b.slug));
}

function isProblemClass(value: unknown): value is typeof Problem {
  return typeof value === 'function' && value.prototype instanceof Problem;
}

/** The kinds of problem that the OpenAPI document describes; the others occur only in the administration. */
export const API_KINDS: readonly ProblemKind[] = kindsOf(problemDetails);

/** All kinds. */
export const KINDS: readonly ProblemKind[] = [...new Set([...API_KINDS, ...kindsOf(accountProblems)])];

/** The kinds that say more than their status. */
export const PROBLEM_KINDS = KINDS.filter((kind): kind is Required<ProblemKind> => kind.remedy !== undefined);
