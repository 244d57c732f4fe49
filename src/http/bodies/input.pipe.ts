import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { type InputFault, InvalidRequest, NotFound } from '../../problem-details/index.js';
import { allFaults, faultsOf, MAX_FAULTS, type ReadInput, rulesOf, takeKnown } from '../../input/index.js';
import { Form } from './forms.js';
import { readTexts, type Texts } from './field-texts.js';

/**
 * The global pipe, Nest's ValidationPipe with the codes of our problems: makes an instance of the class of `@Query()`,
 * `@Param()` or `@Body()`, and validates it. All faults of an argument are reported at once. Arguments of other types are left
 * to the pipes of the handler.
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
    const isWhole = data === undefined && typeof value === 'object' && value !== null;
    const read = isWhole ? readValues(value, type, metatype) : undefined;
    if (read && read.faults.length === 0) {
      const valid = rulesOf(metatype).quick.toValid(read.values);
      if (valid) return valid;
    }
    const { input, faults } = await this.#validate(read?.values ?? value, metadata, read?.faults ?? []);
    if (faults.length === 0) return input;
    // What breaks the rules of a path cannot identify anything.
    if (type === 'param') throw new NotFound();
    throw new InvalidRequest(faults);
  }

  /** @param found the faults of what was sent @returns an instance of the class, and all faults */
  async #validate(
    value: unknown,
    metadata: ArgumentMetadata,
    found: readonly InputFault[],
  ): Promise<{ readonly input: unknown; readonly faults: readonly InputFault[] }> {
    try {
      return { input: await super.transform(value, metadata), faults: found };
    } catch (error) {
      if (!(error instanceof RulesBroken)) throw error;
      const broken = faultsOf(error.errors, metadata.type === 'query' ? 'parameter' : 'field');
      return { input: undefined, faults: allFaults(found, broken) };
    }
  }
}

/** What ValidationPipe throws here. */
class RulesBroken extends Error {
  constructor(readonly errors: readonly ValidationError[]) {
    super();
  }
}

/** The values of the fields that the class knows. */
function readValues(value: object, type: 'body' | 'query' | 'param', inputClass: Function): ReadInput {
  if (type === 'query') return readTexts(value as Texts, inputClass, 'parameter');
  if (type === 'param') return { values: readParameters(value as Texts, inputClass), faults: [] };
  return value instanceof Form
    ? readForm(value, inputClass)
    : takeKnown(inputClass, value as Readonly<Record<string, unknown>>);
}

/** The parameters of a path, whose integers have their canonical form already. */
function readParameters(sent: Texts, inputClass: Function): ReadInput['values'] {
  const { numbers } = rulesOf(inputClass);
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(sent)) values[name] = numbers.has(name) ? Number(sent[name]) : sent[name];
  return values;
}

function readForm({ texts }: Form, inputClass: Function): ReadInput {
  const sent = readTexts(texts, inputClass, 'field');
  const known = takeKnown(inputClass, sent.values);
  return { values: known.values, faults: [...sent.faults, ...known.faults].slice(0, MAX_FAULTS) };
}
