/** An entity tag: it identifies one version of one representation (RFC 9110 §8.8.3). */
export interface EntityTag {
  /** Has the prefix `W/`: the tagged representations are equivalent but may differ in their bytes. */
  readonly weak: boolean;
  /** The text between the quotes. It has no escapes. */
  readonly opaque: string;
}

/**
 * An element of a list of entity tags, which may be empty, up to its comma. `etagc` is any visible character except the
 * quote, commas included, or a byte beyond ASCII; never white space.
 */
const ELEMENT = /[ \t]*(?:(W\/)?"([!#-~\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

/**
 * Parses the value of `If-Match` or `If-None-Match`: `*`, or a list of entity tags, whose empty elements are skipped
 * (RFC 9110 §5.6.1). Returns `undefined` when it is malformed. An empty field is an empty list.
 */
export function parseEntityTags(field: string): '*' | EntityTag[] | undefined {
  if (field === '*') return '*';
  const tags: EntityTag[] = [];
  for (let position = 0; position < field.length; position = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = position;
    const found = ELEMENT.exec(field);
    if (!found) return undefined;
    if (found[2] !== undefined) tags.push({ weak: found[1] !== undefined, opaque: found[2] });
  }
  return tags;
}

/**
 * Whether the `If-None-Match` of a read matches the current representation, so that the response is 304 (RFC 9110
 * §13.1.2). The comparison is weak. `*` matches any representation. A malformed field is ignored.
 *
 * @param currentEtag the value of the response's `ETag`, quotes included
 */
export function evaluateIfNoneMatch(field: string, currentEtag: string): boolean {
  if (field === currentEtag || field === '*') return true;
  const tags = parseEntityTags(field);
  return Array.isArray(tags) && tags.some(({ opaque }) => `"${opaque}"` === currentEtag);
}
