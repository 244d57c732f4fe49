import { type ArgumentMetadata, Injectable, type PipeTransform, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { Readable } from 'node:stream';
import type { InputFault } from '../../problem-details/problem.js';
import { InvalidRequest, NotFound } from '../../problem-details/problems.js';
import { Form } from './form-bodies.js';
import { asParameter, faultsOf, takeKnown } from '../../common/input-faults.js';
import { rulesOf } from '../../common/input-rules.js';
import { readTexts, type Texts, type Values } from './input-texts.js';

type Fault = InputFault & { pointer: string };

/** Nest's ValidationPipe, with the codes of our problems. */
function validation(toProblem: (faults: readonly Fault[]) => Error): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    exceptionFactory: (errors: ValidationError[]) => toProblem(faultsOf(errors) as Fault[]),
  });
}

/**
 * The global pipe: makes an instance of the class of `@Query()`, `@Param()` or `@Body()`, and validates it. All faults of
 * an argument are reported at once; where both the query and the body have some, those of the query. Arguments of other
 * types are left to the pipes of the handler.
 */
@Injectable()
export class InputPipe implements PipeTransform {
  readonly #query = validation((faults) => new InvalidRequest(faults.map(asParameter)));
  /** What breaks the rules of a path cannot identify anything. */
  readonly #param = validation(() => new NotFound());
  readonly #body = validation((faults) => new InvalidRequest(faults));

  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { type, metatype, data } = metadata;
    // A type without rules, such as `String` or an interface, says nothing about what it holds.
    if (type === 'custom' || !metatype || rulesOf(metatype).fields.length === 0) return value;
    if (value instanceof Readable) return value;
    const pipe = { query: this.#query, param: this.#param, body: this.#body }[type];
    if (data !== undefined || typeof value !== 'object' || value === null)
      return pipe.transform(value, metadata);
    const { values, faults } = read(value, type, metatype);
    if (faults.length === 0 && type !== 'body') return pipe.transform(values, metadata);
    return withFaults(faults, async () => {
      // Nest starts the pipes of all arguments, and the first fault counts: those of the query take microtasks only.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      return pipe.transform(values, metadata) as unknown;
    });
  }
}

/** The values for the pipe, and the faults that it cannot see. */
function read(value: object, type: 'body' | 'query' | 'param', inputClass: Function): Values {
  if (type === 'query') return readTexts(value as Texts, inputClass, 'parameter');
  if (type === 'param') return readTexts(value as Texts, inputClass, 'field');
  if (!(value instanceof Form)) return takeKnown(inputClass, value as Values['values']);
  const form = readTexts(value.texts, inputClass, 'field');
  const { values, faults } = takeKnown(inputClass, form.values);
  return { values, faults: [...form.faults, ...faults] };
}

/** @throws InvalidRequest with these faults, and those that the validation finds at other places */
async function withFaults(faults: readonly InputFault[], validate: () => Promise<unknown>): Promise<unknown> {
  try {
    const validated = await validate();
    if (faults.length === 0) return validated;
  } catch (error) {
    if (!(error instanceof InvalidRequest) || faults.length === 0) throw error;
    const places = faults.map(placeOf);
    const others = error.errors!.filter((fault) => !places.includes(placeOf(fault)));
    throw new InvalidRequest([...faults, ...others]);
  }
  throw new InvalidRequest(faults);
}

function placeOf(fault: InputFault): string {
  return 'pointer' in fault ? fault.pointer : 'parameter' in fault ? fault.parameter : fault.header;
}
