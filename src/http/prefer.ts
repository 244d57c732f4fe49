import { parseWord, splitOutsideQuotes } from './media-type.js';

/**
 * Whether a `Prefer` field asks for the exact number of posts, `count=exact` (RFC 7240 §2).
 *
 * The first occurrence of a preference counts, its parameters do not; other preferences and malformed ones are ignored.
 */
export function prefersExactCount(field: string | undefined): boolean {
  if (field === undefined) return false;
  if (field === 'count=exact') return true;
  for (const element of splitOutsideQuotes(field, ',')) {
    const [preference = ''] = splitOutsideQuotes(element, ';');
    const [name = '', ...values] = splitOutsideQuotes(preference, '=');
    if (name.toLowerCase() !== 'count') continue;
    // No value is the same as an empty one; a second equals sign makes the element malformed.
    const value = values.length > 0 ? parseWord(values.join('=')) : '';
    if (value !== undefined) return value === 'exact';
  }
  return false;
}
