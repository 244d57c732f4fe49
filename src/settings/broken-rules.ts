/**
 * The rules that a value breaks.
 *
 * A rule never quotes the value, not even through a library's message (`new URL` quotes its input): a value may be a
 * secret, or a secret may have been pasted in its place by mistake.
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

/** Reads a whole number. @param unit in words @param factor multiplies the result */
export function integer(min: number, max: number, unit = '', factor = 1): (text: string) => number {
  return (text) => {
    // Digits only: Number() would also accept 0x10, 1e3, a sign and white space.
    const value = /^(0|[1-9]\d*)$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value * factor;
    return broken(`must be a whole number from ${min} to ${max}${unit && ` (${unit})`}`);
  };
}

export function choice<Choice extends string>(choices: readonly Choice[]): (text: string) => Choice {
  return (text) => choices.find((each) => each === text) ?? broken(`must be one of ${choices.join(', ')}`);
}

/** Reads a text that satisfies a rule. @param rule in words */
export function keeping(isValid: (text: string) => boolean, rule: string): (text: string) => string {
  return (text) => (isValid(text) ? text : broken(rule));
}

/** Reads a text that may be empty; an empty text becomes undefined. */
export function optional<Value>(read: (text: string) => Value): (text: string) => Value | undefined {
  return (text) => (text === '' ? undefined : read(text));
}

/** Reads a comma-separated list. Each faulty entry is identified by its position, from 1. */
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
