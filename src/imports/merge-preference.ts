/** A preference (RFC 7240 §2): its value in quotes or without, and its parameters, at the start of a field or after a comma. */
const MERGE_DUPLICATES = /(?:^|,)\s*[Rr]esolution\s*=\s*(?:merge-duplicates|"merge-duplicates")\s*(?:[,;]|$)/;

/** Whether a `Prefer` field requests that an import replaces the posts that its lines name, `resolution=merge-duplicates`. */
export function prefersMergedDuplicates(field: string | undefined): boolean {
  return field !== undefined && MERGE_DUPLICATES.test(field);
}
