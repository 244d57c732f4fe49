/** A preference (RFC 7240 §2): its value in quotes or without, and its parameters, at the start of a field or after a comma. */
const EXACT_COUNT = /(?:^|,)\s*[Cc]ount\s*=\s*(?:exact|"exact")\s*(?:[,;]|$)/;

/** Whether a `Prefer` field requests the exact number of posts, `count=exact`. */
export function prefersExactCount(field: string | undefined): boolean {
  return field !== undefined && EXACT_COUNT.test(field);
}
