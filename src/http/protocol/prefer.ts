/** Whether a `Prefer` field requests the exact number of posts, `count=exact`. */
export function prefersExactCount(field: string | undefined): boolean {
  return field === 'count=exact' || preferenceIn(field, 'count') === 'exact';
}

/** Whether a `Prefer` field requests a minimal response, `return=minimal` (RFC 7240 §4.2). */
export function prefersMinimal(field: string | undefined): boolean {
  return preferenceIn(field, 'return') === 'minimal';
}

/** A preference: its name, its value in quotes or without, and what follows before the next comma outside quotes. */
const PREFERENCE =
  /([^\s",;=]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;=]*)))?\s*((?:[^",]|"(?:[^"\\]|\\.)*(?:"|$))*)/g;

/**
 * The value of a preference in a `Prefer` field (RFC 7240 §2). It is empty when the preference has no value, and
 * undefined when the preference is absent.
 *
 * The first occurrence of a preference counts; its parameters and malformed preferences are ignored.
 */
function preferenceIn(field: string | undefined, wanted: string): string | undefined {
  if (field === undefined) return undefined;
  for (const [, name = '', quoted, token = '', rest = ''] of field.matchAll(PREFERENCE)) {
    const isWellFormed = rest === '' || rest.startsWith(';');
    if (isWellFormed && name.toLowerCase() === wanted) return quoted?.replaceAll(/\\(.)/g, '$1') ?? token;
  }
  return undefined;
}
