export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const MULTIPART_TYPE = 'multipart/form-data';
export const HTML_TYPE = 'text/html';
export const YAML_TYPE = 'application/yaml';
export const LINKSET_TYPE = 'application/linkset+json';
export const NDJSON_TYPE = 'application/x-ndjson';
/** Other names that clients use for a media type. None of them is registered. */
const MEDIA_TYPE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['application/jsonl', NDJSON_TYPE],
  ['application/ndjson', NDJSON_TYPE],
]);
export const CSV_TYPE = 'text/csv';
export const ATOM_TYPE = 'application/atom+xml';
export const PROMETHEUS_TYPE = 'text/plain';

/** A media type, as in `Content-Type` and `Accept` (RFC 9110 §8.3.1). */
export interface MediaType {
  /** Type and subtype in lower case, with aliases replaced: `application/json`. */
  readonly type: string;
  /** Names in lower case, values as sent, without the quotes of a quoted string. */
  readonly parameters: ReadonlyMap<string, string>;
}

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();
const JSON_MEDIA_TYPE: MediaType = Object.freeze({ type: 'application/json', parameters: NO_PARAMETERS });

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const TYPE_AND_SUBTYPE = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+$/;
// The alternatives share no first character, so each text matches in only one way, without backtracking.
const QUOTED_STRING = /^"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"$/;

/**
 * Parses one media type; `undefined` when it is malformed. A repeated parameter is an error (RFC 6838 §4.3), because
 * the two values could differ.
 */
export function parseMediaType(header: string): MediaType | undefined {
  if (header === 'application/json') return JSON_MEDIA_TYPE;
  const [type = '', ...parameterTexts] = splitOutsideQuotes(header, ';');
  if (!TYPE_AND_SUBTYPE.test(type)) return undefined;
  const sentName = type.toLowerCase();
  const name = MEDIA_TYPE_ALIASES.get(sentName) ?? sentName;
  if (parameterTexts.length === 0) return { type: name, parameters: NO_PARAMETERS };

  const parameters = new Map<string, string>();
  for (const text of parameterTexts) {
    // Empty parameters are allowed (RFC 9110 §5.6.6).
    if (text === '') continue;
    const [parameter, value] = parseParameter(text);
    if (!isToken(parameter) || value === undefined || parameters.has(parameter)) return undefined;
    parameters.set(parameter, value);
  }
  return { type: name, parameters };
}

/** A parameter such as `name=word`: its name in lower case, and its value; `undefined` when that is malformed. */
export function parseParameter(text: string): [name: string, value: string | undefined] {
  const equals = text.indexOf('=');
  return [text.slice(0, Math.max(equals, 0)).toLowerCase(), parseWord(text.slice(equals + 1))];
}

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The value of a token, or of a quoted string without its quotes and escapes; `undefined` when the text is neither. */
export function parseWord(text: string): string | undefined {
  if (TOKEN.test(text)) return text;
  if (!QUOTED_STRING.test(text)) return undefined;
  return text.slice(1, -1).replaceAll(/\\(.)/g, '$1');
}

/**
 * Splits a field at its separators and removes the white space around the parts (RFC 9110 §5.6). Separators inside a
 * quoted string do not split; an unclosed string reaches to the end.
 */
export function splitOutsideQuotes(field: string, separator: ',' | ';' | '='): string[] {
  if (!field.includes('"')) return field.split(separator).map(trimWhiteSpace);
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let i = 0; i < field.length; i++) {
    const char = field[i];
    if (char === '"') {
      quoted = !quoted;
    } else if (quoted) {
      if (char === '\\') i++;
    } else if (char === separator) {
      parts.push(trimWhiteSpace(field.slice(start, i)));
      start = i + 1;
    }
  }
  parts.push(trimWhiteSpace(field.slice(start)));
  return parts;
}

/** Only space and tab are white space in a field (RFC 9110 §5.6.3); `trim()` would also remove a no-break space. */
function trimWhiteSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start++;
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isWhiteSpace(charCode: number): boolean {
  return charCode === 0x20 || charCode === 0x09;
}
