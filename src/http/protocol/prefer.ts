/** A preference with a value, in quotes or without, at the start of a field or after a comma. */
const PREFERENCE = /(?:^|,)\s*([\w-]+)\s*=\s*(?:"([^"]*)"|([\w-]+))\s*(?=[,;]|$)/g;

/**
 * Whether a `Prefer` field has a preference with this value (RFC 7240 §2). Its name may be in any case; of several with one name,
 * the first counts.
 *
 * @param name in lower case
 */
export function prefers(field: string | undefined, name: string, value: string): boolean {
  if (field === undefined) return false;
  for (const [, sent, quoted, plain] of field.matchAll(PREFERENCE))
    if (sent!.toLowerCase() === name) return (quoted ?? plain) === value;
  return false;
}
