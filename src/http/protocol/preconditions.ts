import type { InputFault } from '../../problem-details/input-fault.js';
import { InvalidRequest, PreconditionFailed } from '../../problem-details/problems.js';
import type { LastModified } from './last-modified.js';

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

/** What preconditions say of a target that exists; the malformed ones name the header field that is. */
export type PreconditionsOutcome = 'met' | 'failed' | 'malformed-if-match' | 'malformed-if-none-match';

/** The header fields that make a write conditional; an empty field is not the same as none. */
export interface PreconditionFields {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** Counts only without `ifMatch`. */
  readonly ifUnmodifiedSince?: string | undefined;
}

/**
 * The preconditions of a write (RFC 9110 §13). They are looked at once the target is known to exist, and may be
 * evaluated again when it has changed meanwhile.
 */
export class Preconditions {
  /** Those of a request that has none: always met. */
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

  /** {@link Preconditions.none} itself when there is neither field. */
  static from(fields: PreconditionFields): Preconditions {
    const { ifMatch, ifNoneMatch, ifUnmodifiedSince } = fields;
    return (ifMatch ?? ifNoneMatch ?? ifUnmodifiedSince) === undefined
      ? Preconditions.none
      : new Preconditions(fields);
  }

  /**
   * Evaluates the preconditions for a target that exists, in the order of RFC 9110 §13.2.2. A malformed field makes
   * the whole request malformed, whatever the other field says.
   *
   * @param matches tells whether the opaque part of a tag, without quotes, is that of a current representation of the
   *   target, in whatever media type and content coding; all of its own tags are taken to be strong
   * @param lastModified of a target that has none, dates are ignored
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
}

/**
 * Whether the `If-None-Match` of a read names the current representation, so that 304 answers it (RFC 9110 §13.1.2).
 * The comparison is weak; `*` names any representation; a malformed field is ignored,
 * but a tag with spaces is only one that does not match.
 *
 * @param currentEtag as the `ETag` of the response has it, quotes included
 */
export function evaluateIfNoneMatch(field: string | undefined, currentEtag: string): boolean {
  if (field === undefined) return false;
  if (field === currentEtag || field === '*') return true;
  const tags = parseEntityTags(field, true);
  if (tags === undefined || tags === '*') return false;
  const opaque = currentEtag.slice(currentEtag.indexOf('"') + 1, -1);
  return tags.some((tag) => tag.opaque === opaque);
}

/**
 * Holds the `If-Match` of a read, or its `If-Unmodified-Since`, against what is to be sent (RFC 9110 §13.1.1).
 *
 * @param matches as in {@link Preconditions.evaluate}
 * @throws PreconditionFailed
 * @throws InvalidRequest when the field is malformed
 */
export function assertUnchanged(
  { ifMatch, ifUnmodifiedSince }: Omit<PreconditionFields, 'ifNoneMatch'>,
  matches: (opaque: string) => boolean,
  lastModified: LastModified | undefined,
): void {
  const outcome = Preconditions.from({ ifMatch, ifUnmodifiedSince }).evaluate(matches, lastModified);
  if (outcome === 'failed') {
    throw new PreconditionFailed(
      ifMatch === undefined
        ? 'What is here has changed, or may have, since the date of If-Unmodified-Since.'
        : NOT_WHAT_IF_MATCH_NAMES,
    );
  }
  if (outcome !== 'met') throw new InvalidRequest([malformedField('If-Match')]);
}

/** What a 412 says of a read. */
export const NOT_WHAT_IF_MATCH_NAMES = 'What is here is not, or no longer, what If-Match asks for.';

/** The fault of a precondition that cannot be read. */
export function malformedField(header: 'If-Match' | 'If-None-Match'): InputFault {
  return {
    detail: 'The field must be * or a list of entity tags in double quotes.',
    code: 'malformed',
    header,
  };
}
