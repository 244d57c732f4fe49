import { type InputFault, pointerTo } from '../../problem-details/problem.js';
import { InvalidRequest, NotFound } from '../../problem-details/problems.js';
import { type InputClass, rulesOf } from './input-rules.js';
import { readQuery } from './query-parameters.js';
import type { RequestBody } from './request-bodies.js';
import type { RequestContext } from './request-context.js';
import { CANONICAL_INTEGER } from './validation.js';
import { validate } from './validation-faults.js';

/** The values of `@Query()`, `@Param()` and `@Body()`; undefined for those that the handler does not use. */
export interface Input {
  readonly query: object | undefined;
  readonly path: object | undefined;
  readonly body: object | undefined;
}

/**
 * A rule about several parts of a request at once. It gets the input before its validity is known, and the faults found
 * so far.
 */
export type InputCheck<Checked> = (
  input: Checked,
  context: RequestContext,
  found: readonly InputFault[],
) => readonly InputFault[];

export interface InputRules {
  /** Without a class, the query must be empty. */
  readonly query: InputClass | undefined;
  /** Without a class, the body is ignored. */
  readonly body: InputClass | undefined;
  readonly check: InputCheck<never> | undefined;
  readonly ignoresQuery: boolean;
  /** The faults are passed to the handler; see operation.decorator.ts. */
  readonly addsFaults: boolean;
}

export const BODY_MISSING: InputFault = {
  detail: 'The request needs a body.',
  code: 'required',
  pointer: '',
};

/** Limits the faults of a body, which may have a million unknown fields. */
const MAX_UNKNOWN_FIELDS = 100;

/**
 * The path parameters as an instance of their class.
 *
 * @throws NotFound when a parameter breaks a rule, because it cannot identify anything
 */
export function readPath(parameters: Readonly<Record<string, string>>, pathClass: InputClass): object {
  const path: object = Object.assign(new pathClass(), converted(pathClass, parameters));
  if (validate(path, (parameter) => ({ parameter })).length > 0) throw new NotFound();
  return path;
}

/**
 * Validates the query and the body of a request against their classes and reports the faults of both at once. Values
 * are never coerced, clamped or dropped. (A Nest pipe sees one argument at a time and would report only its faults.)
 *
 * @param path from {@link readPath}
 * @throws InvalidRequest
 */
export function readInput(rules: InputRules, path: object | undefined, context: RequestContext): Input {
  const faults: InputFault[] = [];
  const query = rules.ignoresQuery ? undefined : readQueryInput(rules.query, context.query, faults);
  // The handler checks a stream line by line.
  const body = rules.body && !context.bodyStream ? readBody(rules.body, context.body, faults) : undefined;
  const input = { query, path, body };
  if (rules.check) faults.push(...rules.check(input as never, context, faults));
  if (rules.addsFaults) context.inputFaults = faults;
  else if (faults.length > 0) throw new InvalidRequest(faults);
  return input;
}

/** The body as an instance of its class. @param faults receives the faults of the body */
export function readBody<Body extends object>(
  bodyClass: new () => Body,
  sent: RequestBody,
  faults: InputFault[],
): Body {
  const body = new bodyClass();
  faults.push(...fill(body, sent, rulesOf(bodyClass).fields));
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
  if (!queryClass) return undefined;
  const query = Object.assign(new queryClass(), converted(queryClass, values));
  if (Object.keys(values).length > 0) faults.push(...validate(query, (parameter) => ({ parameter })));
  return query;
}

/**
 * Converts the texts of a URL to numbers and lists. A text that is not a number stays a text, which its rule rejects.
 */
function converted(inputClass: InputClass, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const { numbers, lists } = rulesOf(inputClass);
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(texts)) {
    const text = texts[name]!;
    const read = (part: string): unknown =>
      numbers.has(name) && CANONICAL_INTEGER.test(part) ? Number(part) : part;
    values[name] = lists.has(name) ? text.split(',').map(read) : read(text);
  }
  return values;
}

function fill(target: object, sent: RequestBody, known: readonly string[]): readonly InputFault[] {
  if (sent.kind === 'faulty') return sent.faults;
  if (sent.kind === 'absent') return [BODY_MISSING];
  const { fields } = sent;
  const faults: InputFault[] = [];
  for (const name of Object.keys(fields)) {
    if (known.includes(name)) {
      (target as Record<string, unknown>)[name] = fields[name];
    } else if (faults.length < MAX_UNKNOWN_FIELDS) {
      faults.push({
        detail: `The field is not known; known are ${known.join(', ')}.`,
        code: 'unknown_field',
        pointer: pointerTo(name),
      });
    }
  }
  return [...faults, ...validate(target, (name) => ({ pointer: pointerTo(name) }))];
}
