import type { IncomingHttpHeaders } from 'node:http';
import {
  isModifiedSince,
  type LastModified,
  parseEntityTags,
  RESPONSE_CODINGS,
  tagInCoding,
} from '../http/protocol/index.js';
import { InvalidRequest, PreconditionFailed } from './problems.js';

/** The header fields that make a request conditional. An empty field differs from an absent one. */
export type PreconditionFields = Pick<
  IncomingHttpHeaders,
  'if-match' | 'if-none-match' | 'if-unmodified-since'
>;

/**
 * The preconditions of a request (RFC 9110 §13). They are checked once the target is known to exist, and those of a
 * write again if it has changed in the meantime.
 */
export class Preconditions {
  /** Whether the request has none. Dates count only without `If-Match`. */
  readonly areNone: boolean;

  constructor(private readonly fields: PreconditionFields) {
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch, 'if-unmodified-since': since } = fields;
    this.areNone = (ifMatch ?? ifNoneMatch ?? since) === undefined;
  }

  /**
   * Checks them in the order of RFC 9110 §13.2.2. A malformed field makes the whole request malformed, whatever the
   * other fields contain. A weak tag counts as the strong one, although the comparison of If-Match is strong: nginx makes
   * the tag of every response weak that it compresses.
   *
   * @param entityTag the opaque part of the target's strong tag; a tag of any content coding matches
   * @param lastModified without it, dates are ignored
   * @throws PreconditionFailed
   * @throws InvalidRequest when a field is malformed
   */
  assertMet(entityTag: string, lastModified: LastModified | undefined): void {
    const ifMatch = readTags('If-Match', this.fields['if-match']);
    const ifNoneMatch = readTags('If-None-Match', this.fields['if-none-match']);
    // Step 1, or else step 2.
    const isOther = ifMatch ? !includesTag(ifMatch, entityTag) : this.#isModified(lastModified);
    if (isOther) throw new PreconditionFailed();
    // Step 3 of a write; that of a read is a 304.
    if (ifNoneMatch && includesTag(ifNoneMatch, entityTag)) throw new PreconditionFailed();
  }

  /** Whether `If-Unmodified-Since` fails. */
  #isModified(lastModified: LastModified | undefined): boolean {
    const { 'if-unmodified-since': since } = this.fields;
    return since !== undefined && lastModified !== undefined && isModifiedSince(lastModified, since);
  }
}

/** Whether a field names the target, in any content coding. `*` names every one that exists. */
function includesTag(tags: '*' | readonly string[], entityTag: string): boolean {
  return tags === '*' || RESPONSE_CODINGS.some((coding) => tags.includes(tagInCoding(entityTag, coding)));
}

/** The entity tags of a field, if it was sent. @throws InvalidRequest */
function readTags(
  header: 'If-Match' | 'If-None-Match',
  field: string | undefined,
): '*' | readonly string[] | undefined {
  if (field === undefined) return undefined;
  const tags = parseEntityTags(field);
  if (tags !== undefined) return tags;
  const detail = 'The field must be * or a list of entity tags in double quotes.';
  throw new InvalidRequest([{ detail, code: 'malformed', header }]);
}
