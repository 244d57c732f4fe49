/** What other rooms may use of the rules of input. */
export {
  allFaults,
  faultsOf,
  MAX_FAULTS,
  type NameKind,
  placeOf,
  readFields,
  type ReadInput,
  takeKnown,
} from './input-faults.js';
export { type ClassRules, type InputClass, rulesOf } from './input-rules.js';
export { decodeJsonBody } from './json-body.js';
export {
  IsIntegerBetween,
  IsListOf,
  IsStorable,
  MaxCodePoints,
  Optional,
  textValidator,
} from './validation.js';
