/** An entity tag: a name of one version of one representation (RFC 9110 §8.8.3). */
export interface EntityTag {
  /** Written with `W/` in front: the representations it names mean the same and may differ in their bytes. */
  readonly weak: boolean;
  /** What stands between the quotes. Nothing in it is escaped. */
  readonly opaque: string;
}

/** `etagc` is any visible character but the quote, commas included, and bytes beyond ASCII; never white space. */
const ENTITY_TAG = /(W\/)?"([!#-~\x80-\xff]*)"/y;
/** Until RFC 7232 an entity tag was a quoted string, in which spaces may stand (RFC 2616 §3.11). */
const LENIENT_ENTITY_TAG = /(W\/)?"([ !#-~\x80-\xff]*)"/y;

/**
 * Reads the value of `If-Match` or `If-None-Match`: `*`, or a list of entity tags, whose empty elements are skipped
 * (RFC 9110 §5.6.1); `undefined` when it is malformed. An empty field is a list of no tags.
 *
 * @param isLenient whether tags may hold spaces; ours never do, so such a tag can only be another server's
 */
export function parseEntityTags(field: string, isLenient = false): '*' | EntityTag[] | undefined {
  const pattern = isLenient ? LENIENT_ENTITY_TAG : ENTITY_TAG;
  if (field === '*') return '*';
  const tags: EntityTag[] = [];
  let separated = true;
  let position = 0;
  while (position < field.length) {
    const char = field[position];
    if (char === ',') {
      separated = true;
      position++;
    } else if (char === ' ' || char === '\t') {
      position++;
    } else {
      pattern.lastIndex = position;
      const found = pattern.exec(field);
      if (!found || !separated) return undefined;
      tags.push({ weak: found[1] !== undefined, opaque: found[2]! });
      separated = false;
      position = pattern.lastIndex;
    }
  }
  return tags;
}
