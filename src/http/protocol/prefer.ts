/**
 * The preferences that the service knows (RFC 7240 §2): a value in quotes or without, and its parameters, at the start of
 * a field or after a comma.
 */
const EXACT_COUNT = /(?:^|,)\s*[Cc]ount\s*=\s*(?:exact|"exact")\s*(?:[,;]|$)/;
const MERGE_DUPLICATES = /(?:^|,)\s*[Rr]esolution\s*=\s*(?:merge-duplicates|"merge-duplicates")\s*(?:[,;]|$)/;

/** Whether a `Prefer` field requests the exact number of posts, `count=exact`. */
export function prefersExactCount(field: string | undefined): boolean {
  return field !== undefined && EXACT_COUNT.test(field);
}

/** Whether a `Prefer` field requests that an import replaces the posts that its lines name, `resolution=merge-duplicates`. */
export function prefersMergedDuplicates(field: string | undefined): boolean {
  return field !== undefined && MERGE_DUPLICATES.test(field);
}
