/** A canonical decimal becomes its number; what is none stays as it is, for a rule to refuse. */
export function toInteger(value: unknown): unknown {
  return typeof value === 'string' && /^(?:0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value;
}

/** Tells of what {@link toInteger} gave whether it is a number within both bounds. */
export function isIntegerBetween(min: number, max: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && value >= min && value <= max;
}

/** The parts of a comma-separated list. */
export function splitList(value: unknown): unknown {
  return typeof value === 'string' ? value.split(',') : value;
}
