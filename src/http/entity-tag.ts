/** An entity tag: a name of one version of one representation (RFC 9110 §8.8.3). */
export interface EntityTag {
  /** Written with `W/` in front: the representations it names mean the same and may differ in their bytes. */
  readonly weak: boolean;
  /** What stands between the quotes. Nothing in it is escaped. */
  readonly opaque: string;
}

/** `etagc` is any visible character but the quote, commas included, and bytes beyond ASCII; never white space. */
const ENTITY_TAG = /(W\/)?"([!#-~\x80-\xff]*)"/y;

/**
 * Reads the value of `If-Match` or `If-None-Match`: `*`, or a list of entity tags, whose empty elements are skipped
 * (RFC 9110 §5.6.1); `undefined` when it is malformed. An empty field is a list of no tags.
 */
export function parseEntityTags(field: string): '*' | EntityTag[] | undefined {
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
      ENTITY_TAG.lastIndex = position;
      const found = ENTITY_TAG.exec(field);
      if (!found || !separated) return undefined;
      tags.push({ weak: found[1] !== undefined, opaque: found[2]! });
      separated = false;
      position = ENTITY_TAG.lastIndex;
    }
  }
  return tags;
}
