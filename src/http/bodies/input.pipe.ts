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
      exceptionFactory: (errors: ValidationError[]) => errors,
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype, data } = metadata;
    // A type without rules, such as `String` or an interface, says nothing about what it holds.
    if (type === 'custom' || !metatype || rulesOf(metatype).fields.length === 0) return value;
    const faults: InputFault[] = [];
    const kind = type === 'query' ? 'parameter' : 'field';
    try {
      const isWhole = data === undefined && typeof value === 'object' && value !== null;
      const values = isWhole ? read(value, type, metatype, faults) : undefined;
      const valid = values && faults.length === 0 && rulesOf(metatype).quick.toValid(values);
      if (valid) return valid;
      const input = await super.transform(values ?? value, metadata);
      if (faults.length === 0) return input;
    } catch (errors) {
      if (!Array.isArray(errors)) throw errors;
      addFaults(faults, errors as ValidationError[], kind);
    }
    // What breaks the rules of a path cannot identify anything.
    if (type === 'param') throw new NotFound();
    // Nest starts the pipes of all arguments, and the first fault counts: those of the query take microtasks only.
    if (type === 'body') await new Promise<void>((resolve) => process.nextTick(resolve));
    throw new InvalidRequest(faults);
  }
}

/** The values of the fields that the class knows. @param faults receives those that the validation cannot see */
function read(
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
