import { type InputFault, pointerTo } from '../../problem-details/problem.js';
import { NotFound } from '../../problem-details/problems.js';
import { type InputClass, rulesOf } from './input-rules.js';
import { fromTexts, MAX_FAULTS } from './query-parameters.js';

/** The fields of a body, which is the same for all three formats, or the reason why there are none. */
export type BodyFields =
  | { readonly fields: Readonly<Record<string, unknown>> }
  | { readonly fields?: undefined; readonly faults: readonly InputFault[] };

export const BODY_MISSING: InputFault = {
  detail: 'The request needs a body.',
  code: 'required',
  pointer: '',
};

/**
 * The path parameters as an instance of their class.
 *
 * @throws NotFound when a parameter breaks a rule, because it cannot identify anything
 */
export function readPath(parameters: Readonly<Record<string, string>>, pathClass: InputClass): object {
  const path = fromTexts(pathClass, Object.entries(parameters));
  if (rulesOf(pathClass).faultsOf(path, (parameter) => ({ parameter })).length > 0) throw new NotFound();
  return path;
}

/** The body as an instance of its class. Values are never coerced, clamped or dropped. @param faults receives its faults */
export function readBody<Body extends object>(
  bodyClass: new () => Body,
  sent: BodyFields,
  faults: InputFault[],
): Body {
  const body = new bodyClass();
  if (!sent.fields) {
    faults.push(...sent.faults);
    return body;
  }
  const rules = rulesOf(bodyClass);
  const known = rules.fields;
  for (const name of Object.keys(sent.fields)) {
    if (known.includes(name)) {
      (body as Record<string, unknown>)[name] = sent.fields[name];
    } else if (faults.length < MAX_FAULTS) {
      const detail = `The field is not known; known are ${known.join(', ')}.`;
      faults.push({ detail, code: 'unknown_field', pointer: pointerTo(name) });
    }
  }
  faults.push(...rules.faultsOf(body, (name) => ({ pointer: pointerTo(name) })));
  return body;
}
