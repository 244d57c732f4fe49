import type { ResponseCoding } from './accept.js';

/** The opaque part of an entity tag in a content coding: each coding has its own (RFC 9110 §8.8.3.3). */
export function tagInCoding(entityTag: string, coding: ResponseCoding): string {
  return coding === 'identity' ? entityTag : `${entityTag}-${coding}`;
}

/**
 * An element of a list of entity tags, which may be empty, up to its comma. `etagc` is any visible character except the
 * quote, commas included, or a byte beyond ASCII; never white space, and there are no escapes.
 */
const ELEMENT = /[ \t]*(?:(?:W\/)?"([!#-~\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

/**
 * Parses the value of `If-Match` or `If-None-Match`: `*`, or a list of entity tags (RFC 9110 §8.8.3), whose empty
 * elements are skipped (§5.6.1). Returns `undefined` when it is malformed. An empty field is an empty list.
 *
 * @returns the opaque parts of the tags, those between the quotes; weak tags are like strong ones, because each tag of
 *   ours names one content
 */
export function parseEntityTags(field: string): '*' | string[] | undefined {
  if (field === '*') return '*';
  const tags: string[] = [];
  for (let position = 0; position < field.length; position = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = position;
    const element = ELEMENT.exec(field);
    if (!element) return undefined;
    const [, tag] = element;
    if (tag !== undefined) tags.push(tag);
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
  return Array.isArray(tags) && tags.some((tag) => `"${tag}"` === currentEtag);
}
