/**
 * The rule that a value breaks, as the message.
 *
 * A rule never quotes the value, not even through a library's message (`new URL` quotes its input): a value may be a
 * secret, or a secret may have been pasted in its place by mistake.
 */
export class BrokenRule extends Error {}

export function broken(rule: string): never {
  throw new BrokenRule(rule);
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

/** Reads a comma-separated list. */
export function readList<Value>(text: string, readEntry: (entry: string) => Value): Value[] {
  if (text === '') return [];
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.includes('')) broken('must have no empty entry (a comma too many)');
  return entries.map(readEntry);
}

export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
