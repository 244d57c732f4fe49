import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { type InputFault, InvalidRequest, NotFound } from '../../problem-details/index.js';
import { addFaults, rulesOf, takeKnown } from '../../input/index.js';
import { Form } from './forms.js';
import { readTexts, type Texts } from './field-texts.js';

/**
 * The global pipe, Nest's ValidationPipe with the codes of our problems: makes an instance of the class of `@Query()`,
 * `@Param()` or `@Body()`, and validates it. All faults of an argument are reported at once; where both the query and the
 * body have some, those of the query. Arguments of other types are left to the pipes of the handler.
 */
@Injectable()
export class InputPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      exceptionFactory: (errors: ValidationError[]) => new RulesBroken(errors),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype, data } = metadata;
    // A type without rules, such as `String` or an interface, says nothing about what it holds.
    if (type === 'custom' || !metatype || rulesOf(metatype).fields.length === 0) return value;
    const faults: InputFault[] = [];
    const isWhole = data === undefined && typeof value === 'object' && value !== null;
    const values = isWhole ? readValues(value, type, metatype, faults) : undefined;
    if (values && faults.length === 0) {
      const valid = rulesOf(metatype).quick.toValid(values);
      if (valid) return valid;
    }
    const input = await this.#validate(values ?? value, metadata, faults);
    if (faults.length === 0) return input;
    // What breaks the rules of a path cannot identify anything.
    if (type === 'param') throw new NotFound();
    // Nest starts the pipes of all arguments, and the first fault counts: those of the query take microtasks only.
    if (type === 'body') await new Promise<void>((resolve) => process.nextTick(resolve));
    throw new InvalidRequest(faults);
  }

  /** @returns an instance of the class @param faults receives those of broken rules */
  async #validate(value: unknown, metadata: ArgumentMetadata, faults: InputFault[]): Promise<unknown> {
    try {
      return await super.transform(value, metadata);
    } catch (error) {
      if (!(error instanceof RulesBroken)) throw error;
      addFaults(faults, error.errors, metadata.type === 'query' ? 'parameter' : 'field');
      return undefined;
    }
  }
}

/** What ValidationPipe throws here. */
class RulesBroken extends Error {
  constructor(readonly errors: readonly ValidationError[]) {
    super();
  }
}

/** The values of the fields that the class knows. @param faults receives those that the validation cannot see */
function readValues(
  value: object,
  type: 'body' | 'query' | 'param',
  inputClass: Function,
  faults: InputFault[],
): Readonly<Record<string, unknown>> {
  if (type === 'query') return readTexts(value as Texts, inputClass, 'parameter', faults);
  if (type === 'param') {
    const values = { ...(value as Record<string, unknown>) };
    for (const name of rulesOf(inputClass).numbers) values[name] = Number(values[name]);
    return values;
  }
  const sent = value instanceof Form ? readTexts(value.texts, inputClass, 'field', faults) : value;
  return takeKnown(inputClass, sent as Readonly<Record<string, unknown>>, faults);
}
