import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { type FaultPlace, type InputFault, pointerTo } from '../problem-details/input-fault.js';
import { InvalidRequest } from '../problem-details/problems.js';
import { readQuery } from './query-parameters.js';
import type { RequestContext } from './request-context.js';
import type { RequestBody } from './request-body.js';

/** The class of a request's query; `parameters` names all that may stand in it. */
export interface QueryClass<Query extends object> {
  readonly parameters: readonly string[];
  new (): Query;
}

/** The class of a request's body; `fields` names all that may stand in it. */
export interface BodyClass<Body extends object> {
  readonly fields: readonly string[];
  new (): Body;
}

export interface Input<Query, Body = object> {
  readonly query: Query;
  /** Undefined where the operation takes no body. */
  readonly body: Body;
}

/** The query of an operation that has no parameters. */
export class NoQuery {
  static readonly parameters = [] as const;
}

/**
 * A rule about several parts of a request at once. It sees the input before it is known to be valid, and the faults that
 * were found so far.
 */
export type InputCheck<Checked> = (
  input: Checked,
  context: RequestContext,
  found: readonly InputFault[],
) => readonly InputFault[];

export interface InputRules<Query extends object, Body extends object> {
  readonly query: QueryClass<Query>;
  /** Without it the request's body does not matter. */
  readonly body?: BodyClass<Body>;
  readonly check?: InputCheck<Input<Query, Body>>;
}

/**
 * Checks the query and the body of a request against their classes, and reports the faults of both at once.
 *
 * Nothing is coerced, clamped or dropped. (A pipe of Nest's sees one parameter of a method at a time, and so would report
 * the faults of the query or those of the body.)
 */
export class InputReader<Query extends object, Body extends object = object> {
  constructor(private readonly rules: InputRules<Query, Body>) {}

  /** @throws InvalidRequest */
  read(context: RequestContext): Input<Query, Body> {
    const faults: InputFault[] = [];
    const query = this.#readQuery(context.query, faults);
    let body = undefined as unknown as Body;
    if (this.rules.body) {
      body = new this.rules.body();
      faults.push(...this.#fill(body, context.body, this.rules.body.fields));
    }
    const input = { query, body };
    if (this.rules.check) faults.push(...this.rules.check(input, context, faults));
    if (faults.length > 0) throw new InvalidRequest(faults);
    return input;
  }

  #readQuery(raw: string, faults: InputFault[]): Query {
    // Every parameter is optional, so a query without any has no fault.
    if (raw === '') return new this.rules.query();
    const { values, faults: found } = readQuery(raw, this.rules.query.parameters);
    faults.push(...found);
    const query = plainToInstance(this.rules.query, values);
    if (Object.keys(values).length > 0) faults.push(...validate(query, (parameter) => ({ parameter })));
    return query;
  }

  #fill(target: Body, sent: RequestBody, known: readonly string[]): readonly InputFault[] {
    if (sent.kind === 'faulty') return sent.faults;
    if (sent.kind === 'absent') return [{ detail: 'The request needs a body.', pointer: '' }];
    const { fields } = sent;
    const faults: InputFault[] = [];
    for (const name of Object.keys(fields)) {
      if (known.includes(name)) {
        Object.assign(target, { [name]: fields[name] });
      } else if (faults.length < MAX_UNKNOWN_FIELDS) {
        faults.push({
          detail: `The field is not known; known are ${known.join(', ')}.`,
          pointer: pointerTo(name),
        });
      }
    }
    return [...faults, ...validate(target, (name) => ({ pointer: pointerTo(name) }))];
  }
}

/** Of an operation that takes nothing but what its path says. */
export const noInput = new InputReader({ query: NoQuery });

/** A body of a million unknown fields is answered with no more than that many faults. */
const MAX_UNKNOWN_FIELDS = 100;

function validate(target: object, place: (name: string) => FaultPlace): InputFault[] {
  return validateSync(target).map((error) => ({ detail: wordsOf(error), ...place(error.property) }));
}

function wordsOf(error: ValidationError): string {
  return Object.values(error.constraints ?? {}).join(' ');
}
