import type { RequestFault } from '../../api/problem.js';
import { type Field, FIELDS } from '../conflict/conflict.js';

export type FieldFaults = Partial<Record<Field, string>>;

/** The service's words on each field that it refused; what is not about a field is not among them. */
export function faultsByField(errors: readonly RequestFault[]): FieldFaults {
  const faults: FieldFaults = {};
  for (const field of FIELDS) {
    const details = errors.filter(({ pointer }) => pointer === `/${field}`).map(({ detail }) => detail);
    if (details.length > 0) faults[field] = details.join(' ');
  }
  return faults;
}

/** Where to go first: the uppermost field that has a fault. */
export function firstFaulty(faults: FieldFaults): Field | undefined {
  return FIELDS.find((field) => faults[field] !== undefined);
}
