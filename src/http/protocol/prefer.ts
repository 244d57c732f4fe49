/** A preference: its name, its value in quotes or without, and what follows before the next comma outside quotes. */
const PREFERENCE =
  /([^\s",;=]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;=]*)))?\s*((?:[^",]|"(?:[^"\\]|\\.)*(?:"|$))*)/g;

/**
 * Whether a `Prefer` field requests the exact number of posts, `count=exact` (RFC 7240 §2). The first occurrence of a
 * preference counts; its parameters and malformed preferences are ignored.
 */
export function prefersExactCount(field: string | undefined): boolean {
  if (field === undefined || field === 'count=exact') return field !== undefined;
  for (const [, name = '', quoted, token, rest = ''] of field.matchAll(PREFERENCE)) {
    const isWellFormed = rest === '' || rest.startsWith(';');
    if (isWellFormed && name.toLowerCase() === 'count') return (quoted ?? token) === 'exact';
  }
  return false;
}
