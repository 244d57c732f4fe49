/** What other rooms may use of the rules of input. */
export {
  addFaults,
  type FaultContext,
  MAX_FAULTS,
  type Named,
  placeOf,
  readFields,
  takeKnown,
} from './input-faults.js';
export { type ClassRules, type InputClass, rulesOf } from './input-rules.js';
export { decodeJsonBody } from './json-body.js';
export {
  CursorParameter,
  DEFAULT_LIMIT,
  FilePath,
  IsIntegerBetween,
  IsListOf,
  isStorable,
  IsStorable,
  LimitParameter,
  MaxCodePoints,
  Nullable,
  Optional,
  textValidator,
} from './validation.js';
