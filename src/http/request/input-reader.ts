import { type InputFault, pointerTo } from '../../problem-details/problem.js';
import { NotFound } from '../../problem-details/problems.js';
import { type InputClass, rulesOf } from './input-rules.js';
import { MAX_FAULTS, readQuery } from './query-parameters.js';
import type { RequestContext } from './request-context.js';

/** The values of `@Query()`, `@Param()` and `@Body()`; undefined for those that the handler does not use. */
export interface Input {
  readonly query: object | undefined;
  readonly path: object | undefined;
  readonly body: object | undefined;
}

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
  const path = fromTexts(pathClass, parameters);
  if (rulesOf(pathClass).faultsOf(path, (parameter) => ({ parameter })).length > 0) throw new NotFound();
  return path;
}

/**
 * Validates the query and the body of a request against their classes. Values are never coerced, clamped or dropped.
 *
 * @param sent undefined when the handler checks the body itself, line by line
 * @param faults receives the faults of all parts
 */
export function readInput(
  { operation, query: rawQuery, pathInput }: RequestContext,
  sent: BodyFields | undefined,
  faults: InputFault[],
): Input {
  const { query: queryClass, body: bodyClass, declaration } = operation!;
  const query = declaration.ignoresQuery ? undefined : readQueryInput(queryClass, rawQuery, faults);
  const body = bodyClass && sent && readBody(bodyClass, sent, faults);
  const input = { query, path: pathInput, body };
  if (declaration.check) faults.push(...declaration.check(input as never, faults));
  return input;
}

/** The body as an instance of its class. @param faults receives the faults of the body */
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

function readQueryInput(
  queryClass: InputClass | undefined,
  raw: string,
  faults: InputFault[],
): object | undefined {
  // Every parameter is optional, so an empty query has no fault.
  if (raw === '') return queryClass && new queryClass();
  const rules = queryClass && rulesOf(queryClass);
  const { values, faults: found } = readQuery(raw, rules?.fields, rules?.lists);
  faults.push(...found);
  if (!rules) return undefined;
  const query = fromTexts(queryClass, values);
  if (Object.keys(values).length > 0) faults.push(...rules.faultsOf(query, (parameter) => ({ parameter })));
  return query;
}

/** Makes the instance of a class from the texts of a URL. */
function fromTexts(inputClass: InputClass, texts: Readonly<Record<string, string>>): object {
  const rules = rulesOf(inputClass);
  const input = new inputClass() as Record<string, unknown>;
  for (const [name, text] of Object.entries(texts)) input[name] = rules.fromText(name, text);
  return input;
}
