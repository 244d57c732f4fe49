import { type ProblemKind, problemKinds } from '../problem-details/index.js';

/** The kinds of problem that the OpenAPI document describes; the others occur only in the administration. */
export function apiKinds(): readonly ProblemKind[] {
  return problemKinds().filter(({ isOfAdministration }) => !isOfAdministration);
}

/** The kinds that say more than their status. */
export function explainedKinds(): readonly Required<ProblemKind>[] {
  return problemKinds().filter((kind): kind is Required<ProblemKind> => kind.remedy !== undefined);
}
