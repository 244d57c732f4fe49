import { type ArgumentMetadata, Injectable, type PipeTransform, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { Readable } from 'node:stream';
import type { InputFault } from '../../problem-details/problem.js';
import { InvalidRequest, NotFound } from '../../problem-details/problems.js';
import { RepeatedFields } from './form-bodies.js';
import { asParameter, faultsOf, takeKnown } from './input-faults.js';
import { type InputClass, rulesOf } from './input-rules.js';
import { type QueryTexts, readQuery } from './query-string.js';

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
  readonly #path = validation(() => new NotFound());
  readonly #body = validation((faults) => new InvalidRequest(faults));

  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { type, metatype, data } = metadata;
    const hasRules = metatype !== undefined && rulesOf(metatype).fields.length > 0;
    if (value instanceof RepeatedFields && hasRules && data === undefined)
      return afterQuery(() => withFaults(value.errors!, this.#validateBody(value.others, metadata)));
    if (value instanceof InvalidRequest) return afterQuery(() => Promise.reject(value));
    // A type without rules, such as `String` or an interface, says nothing about what it holds.
    if (!hasRules || value instanceof Readable) return value;
    const inputClass = metatype as InputClass;
    switch (type) {
      case 'query': {
        if (data !== undefined) return this.#query.transform(value, metadata);
        const { values, faults } = readQuery(value as QueryTexts, inputClass);
        return withFaults(faults, this.#query.transform(values, metadata));
      }
      case 'param':
        return this.#path.transform(
          data === undefined ? fromTexts(value as object, inputClass) : value,
          metadata,
        );
      case 'body': {
        if (data !== undefined || typeof value !== 'object' || value === null)
          return afterQuery(() => this.#body.transform(value, metadata));
        return afterQuery(() => this.#validateBody(value as Record<string, unknown>, metadata));
      }
      default:
        return value;
    }
  }

  #validateBody(fields: Readonly<Record<string, unknown>>, metadata: ArgumentMetadata): Promise<unknown> {
    const { known, faults } = takeKnown(metadata.metatype!, fields);
    return withFaults(faults, this.#body.transform(known, metadata));
  }
}

/** Nest starts the pipes of all arguments, and the first fault counts. The validation of a query takes only microtasks. */
async function afterQuery(validate: () => Promise<unknown>): Promise<unknown> {
  await new Promise<void>((resolve) => process.nextTick(resolve));
  return validate();
}

/** @throws InvalidRequest with these faults, and those that the validation finds at other places */
async function withFaults(faults: readonly InputFault[], validated: Promise<unknown>): Promise<unknown> {
  if (faults.length === 0) return validated;
  try {
    await validated;
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const places = faults.map(placeOf);
    throw new InvalidRequest([
      ...faults,
      ...error.errors!.filter((fault) => !places.includes(placeOf(fault))),
    ]);
  }
  throw new InvalidRequest(faults);
}

const placeOf = ({
  pointer,
  parameter,
}: InputFault & { pointer?: string; parameter?: string }): string | undefined => pointer ?? parameter;

/** The parameters of a path as values of their class. */
function fromTexts(texts: object, inputClass: InputClass): Record<string, unknown> {
  const rules = rulesOf(inputClass);
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, rules.fromText(name, text as string)]),
  );
}
