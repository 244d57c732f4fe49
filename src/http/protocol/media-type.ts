import { parse } from 'content-type';

export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const MULTIPART_TYPE = 'multipart/form-data';
export const HTML_TYPE = 'text/html';
export const NDJSON_TYPE = 'application/x-ndjson';
/** Other names that clients use for a media type. None of them is registered. */
const MEDIA_TYPE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['application/jsonl', NDJSON_TYPE],
  ['application/ndjson', NDJSON_TYPE],
]);

/** A media type, as in `Content-Type` and `Accept` (RFC 9110 §8.3.1). */
export interface MediaType {
  /** Type and subtype in lower case, with aliases replaced: `application/json`. */
  readonly type: string;
  /** Names in lower case, values as sent, without the quotes of a quoted string. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Reads one media type. Malformed parameters are ignored; of a repeated one, the first counts. */
export function parseMediaType(field: string): MediaType {
  const { type, parameters } = parse(field);
  return { type: MEDIA_TYPE_ALIASES.get(type) ?? type, parameters };
}

/** The elements of a list such as `Accept`, or `Accept-Encoding`, whose types are names of codings. */
export function* parseMediaTypes(field: string): Generator<MediaType> {
  for (let start = 0; start < field.length;) {
    const { type, parameters, index } = parse(field, { comma: true, start });
    if (type !== '') yield { type: MEDIA_TYPE_ALIASES.get(type) ?? type, parameters };
    start = index + 1;
  }
}
