import type { InputFault } from '../../problem-details/problem.js';
import { InvalidRequest, PreconditionFailed } from '../../problem-details/problems.js';
import type { LastModified } from './last-modified.js';

/** An entity tag: it identifies one version of one representation (RFC 9110 §8.8.3). */
export interface EntityTag {
  /** Has the prefix `W/`: the tagged representations are equivalent but may differ in their bytes. */
  readonly weak: boolean;
  /** The text between the quotes. It has no escapes. */
  readonly opaque: string;
}

/** `etagc` is any visible character except the quote, commas included, or a byte beyond ASCII; never white space. */
const ENTITY_TAG = /(W\/)?"([!#-~\x80-\xff]*)"/y;
/** Before RFC 7232, an entity tag was a quoted string, which may contain spaces (RFC 2616 §3.11). */
const LENIENT_ENTITY_TAG = /(W\/)?"([ !#-~\x80-\xff]*)"/y;

/**
 * Parses the value of `If-Match` or `If-None-Match`: `*`, or a list of entity tags, whose empty elements are skipped
 * (RFC 9110 §5.6.1). Returns `undefined` when it is malformed. An empty field is an empty list.
 *
 * @param isLenient whether tags may contain spaces; this service's tags never do, so such a tag is from another server
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

/** The suffixes that `sendResponse` appends to an entity tag, one for each content coding. */
const CODING_SUFFIXES = ['-br', '-gzip'] as const;

/** Whether the opaque part of a client's tag belongs to a response, in any content coding. */
function isTagOf(entityTag: string, sent: string): boolean {
  return sent === entityTag || CODING_SUFFIXES.some((suffix) => sent === entityTag + suffix);
}

/** The result of preconditions for an existing target. A malformed result names the header field. */
export type PreconditionsOutcome = 'met' | 'failed' | 'malformed-if-match' | 'malformed-if-none-match';

/** The header fields that make a write conditional. An empty field differs from an absent one. */
export interface PreconditionFields {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** Applies only without `ifMatch`. */
  readonly ifUnmodifiedSince?: string | undefined;
}

/**
 * The preconditions of a write (RFC 9110 §13). They are evaluated once the target is known to exist, and again if it
 * has changed in the meantime.
 */
export class Preconditions {
  static readonly none = new Preconditions({});

  readonly #ifMatch: '*' | readonly EntityTag[] | undefined;
  readonly #ifNoneMatch: '*' | readonly EntityTag[] | undefined;
  readonly #malformed: PreconditionsOutcome | undefined;

  readonly #ifUnmodifiedSince: string | undefined;

  private constructor({ ifMatch, ifNoneMatch, ifUnmodifiedSince }: PreconditionFields) {
    if (ifMatch === undefined) this.#ifUnmodifiedSince = ifUnmodifiedSince;
    if (ifMatch !== undefined) {
      this.#ifMatch = parseEntityTags(ifMatch);
      if (this.#ifMatch === undefined) this.#malformed = 'malformed-if-match';
    }
    if (ifNoneMatch !== undefined) {
      this.#ifNoneMatch = parseEntityTags(ifNoneMatch);
      if (this.#ifNoneMatch === undefined) this.#malformed ??= 'malformed-if-none-match';
    }
  }

  /** Returns {@link Preconditions.none} when all fields are absent. */
  static from(fields: PreconditionFields): Preconditions {
    const { ifMatch, ifNoneMatch, ifUnmodifiedSince } = fields;
    return (ifMatch ?? ifNoneMatch ?? ifUnmodifiedSince) === undefined
      ? Preconditions.none
      : new Preconditions(fields);
  }

  /**
   * Evaluates the preconditions for an existing target in the order of RFC 9110 §13.2.2. A malformed field makes the
   * whole request malformed, whatever the other fields contain.
   *
   * @param matches whether the opaque part of a tag, without quotes, belongs to a current representation of the target,
   *   in any media type and content coding; all tags of the target are strong
   * @param lastModified without it, dates are ignored
   */
  evaluate(matches: (opaque: string) => boolean, lastModified?: LastModified): PreconditionsOutcome {
    if (this.#malformed !== undefined) return this.#malformed;
    const ifMatch = this.#ifMatch;
    if (
      ifMatch !== undefined &&
      ifMatch !== '*' &&
      !ifMatch.some((tag) => !tag.weak && matches(tag.opaque))
    ) {
      return 'failed';
    }
    const ifUnmodifiedSince = this.#ifUnmodifiedSince;
    if (ifUnmodifiedSince !== undefined && lastModified?.isUnmodifiedSince(ifUnmodifiedSince) === false) {
      return 'failed';
    }
    const ifNoneMatch = this.#ifNoneMatch;
    if (
      ifNoneMatch !== undefined &&
      (ifNoneMatch === '*' || ifNoneMatch.some((tag) => matches(tag.opaque)))
    ) {
      return 'failed';
    }
    return 'met';
  }

  /**
   * Like {@link evaluate}, but throws unless the preconditions are met.
   *
   * @param entityTag the opaque part of the target's tag; a tag of any content coding matches
   * @param detail what the 412 says
   * @throws PreconditionFailed
   * @throws InvalidRequest when a field is malformed
   */
  assertMet(entityTag: string, lastModified: LastModified | undefined, detail: string): void {
    const outcome = this.evaluate((opaque) => isTagOf(entityTag, opaque), lastModified);
    if (outcome === 'met') return;
    if (outcome === 'failed') throw new PreconditionFailed(detail);
    throw new InvalidRequest([
      malformedField(outcome === 'malformed-if-match' ? 'If-Match' : 'If-None-Match'),
    ]);
  }
}

/**
 * Whether the `If-None-Match` of a read matches the current representation, so that the response is 304 (RFC 9110
 * §13.1.2). The comparison is weak. `*` matches any representation. A malformed field is ignored; a tag with spaces
 * just does not match.
 *
 * @param currentEtag the value of the response's `ETag`, quotes included
 */
export function evaluateIfNoneMatch(field: string | undefined, currentEtag: string): boolean {
  if (field === undefined) return false;
  if (field === currentEtag || field === '*') return true;
  const tags = parseEntityTags(field, true);
  if (tags === undefined || tags === '*') return false;
  const opaque = currentEtag.slice(currentEtag.indexOf('"') + 1, -1);
  return tags.some((tag) => tag.opaque === opaque);
}

export const NOT_WHAT_IF_MATCH_NAMES = 'The current representation does not match If-Match.';

function malformedField(header: 'If-Match' | 'If-None-Match'): InputFault {
  return {
    detail: 'The field must be * or a list of entity tags in double quotes.',
    code: 'malformed',
    header,
  };
}
