/**
 * What is wrong with a value, as rules that were broken.
 *
 * A rule never quotes the value, not even by way of a library's message (`new URL` names its input): a value may be a
 * secret, or stand where a secret was pasted by mistake.
 */
export class BrokenRules extends Error {
  override readonly name = 'BrokenRules';

  constructor(readonly rules: readonly string[]) {
    super(rules.join('; '));
  }
}

export function broken(rule: string): never {
  throw new BrokenRules([rule]);
}

export function readInteger(text: string, min: number, max: number, before = '', after = ''): number {
  // Digits only: Number() would also take 0x10, 1e3, a sign and white space.
  const value = /^(0|[1-9]\d*)$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max))
    broken(`must be ${before}a whole number from ${min} to ${max}${after}`);
  return value;
}

export function readChoice<Choice extends string>(text: string, choices: readonly Choice[]): Choice {
  return choices.find((choice) => choice === text) ?? broken(`must be one of ${choices.join(', ')}`);
}

/** Reads a comma-separated list; every entry with a fault is named by its place, from 1. */
export function readList<Value>(text: string, readEntry: (entry: string) => Value): Value[] {
  if (text === '') return [];
  const values: Value[] = [];
  const rules: string[] = [];
  for (const [index, untrimmed] of text.split(',').entries()) {
    const entry = untrimmed.trim();
    try {
      values.push(entry === '' ? broken('is empty (a comma too many)') : readEntry(entry));
    } catch (error) {
      if (!(error instanceof BrokenRules)) throw error;
      rules.push(...error.rules.map((rule) => `entry ${index + 1} ${rule}`));
    }
  }
  if (rules.length > 0) throw new BrokenRules(rules);
  return values;
}

export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
