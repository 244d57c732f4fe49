import { isWithinPair } from '../text/code-points.js';
import { PIECE_LENGTH, type Steps } from '../text/steps.js';
import { parsePubDate } from '../posts/pub-date.js';

/**
 * Characters that start a formula in spreadsheets, as OWASP lists them, including the full-width forms and the line
 * feed. See https://owasp.org/www-community/attacks/CSV_Injection. A cell may have apostrophes before them.
 */
const FORMULA_START = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * Where a cell would begin within a text, if a spreadsheet separates cells by another character than the file does: Excel
 * takes that of the country, and then no quotes around the cell help. Only `=`, and what calls a function or a program,
 * is a danger there: a list of lines with hyphens, an `@name` or a `;-)` is left alone.
 */
const INNER_FORMULA = /(?<=[;,\t\r\n])'*(?:[=\uff1d]|[+\-@\uff0b\uff0d\uff20](?=[^;,\t\r\n]*[(|!]))/g;
/** Finds nothing in most texts, and is fast for texts of any length. */
const INNER_START = /[;,\t\r\n]'*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** A cell that no spreadsheet runs as a formula: an apostrophe makes it text. */
export function toSpreadsheetCell(text: string): string {
  const inner = withTextInside(text);
  return FORMULA_START.test(text) ? `'${inner}` : inner;
}

/** Makes text of the cells that would begin within a text. */
function withTextInside(text: string): string {
  return INNER_START.test(text) ? text.replaceAll(INNER_FORMULA, "'$&") : text;
}

/** A cell could begin after one of these. */
const SEPARATOR = /[;,\t\r\n]/;
/** The end of a cell, or the start of a call: whichever comes first. */
const SEPARATOR_OR_CALL = /[;,\t\r\n(|!]/g;

/** The parts of {@link toSpreadsheetCell} of a long text. Each takes a few milliseconds. */
export function* spreadsheetCellParts(text: string, partLength: number): Generator<string> {
  if (FORMULA_START.test(text)) yield "'";
  yield* convertedParts(text, partLength, withTextInside);
}

/** Converts the cells that would begin within a text, part by part. */
function* convertedParts(
  text: string,
  partLength: number,
  convert: (part: string) => string,
): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = endOfPart(text, start, start + partLength);
    const part = text.slice(start, end);
    // Whether the part ends within a call depends on what follows.
    const isCall = !isEndOfCell(text, end) && INNER_START.test(part) && isCallAhead(text, end);
    yield isCall ? convert(`${part}(`).slice(0, -1) : convert(part);
    start = end;
  }
}

/** A part ends before a separator, so that its cells are whole. A longer cell is cut where no formula can begin. */
function endOfPart(text: string, start: number, mostlyAt: number): number {
  if (mostlyAt >= text.length) return text.length;
  for (let end = mostlyAt; end > start; end -= 1) if (SEPARATOR.test(text[end]!)) return end;
  let end = mostlyAt;
  while (text[end] === "'") end += 1;
  if (isEndOfCell(text, end)) return end;
  return isWithinPair(text, end + 1) ? end + 2 : end + 1;
}

function isEndOfCell(text: string, place: number): boolean {
  return place >= text.length || SEPARATOR.test(text[place]!);
}

function isCallAhead(text: string, place: number): boolean {
  SEPARATOR_OR_CALL.lastIndex = place;
  const next = SEPARATOR_OR_CALL.exec(text)?.[0];
  return next !== undefined && '(|!'.includes(next);
}

/** The text of {@link toSpreadsheetCell}. Only for exports of the site: other files have apostrophes of their own. */
export function* fromSpreadsheetCell(cell: string): Steps<string> {
  const text = cell.startsWith("'") && FORMULA_START.test(cell) ? cell.slice(1) : cell;
  if (!INNER_START.test(text)) return text;
  const parts: string[] = [];
  for (const part of convertedParts(text, PIECE_LENGTH, withFormulasInside)) {
    if (parts.length > 0) yield;
    parts.push(part);
  }
  return parts.join('');
}

/** The opposite of {@link withTextInside}. */
function withFormulasInside(text: string): string {
  return text.replaceAll(INNER_FORMULA, (start) => (start.startsWith("'") ? start.slice(1) : start));
}

/** Dates with dots begin with the day in all countries that write them. */
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,? (.+))?$/;
/** An hour with one digit, as Excel writes it. */
const SHORT_HOUR = /^\d:/;

/** The form of the API for a date that can be read in one way only. Other texts are returned unchanged. */
export function toApiDate(cell: string): string {
  const [date, time] = dateAndTime(cell.trim());
  const apiTime = SHORT_HOUR.test(time) ? `0${time}` : time;
  const apiDate = apiTime === '' ? date : `${date}T${apiTime}`;
  return parsePubDate(apiDate) === undefined ? cell : apiDate;
}

function dateAndTime(text: string): readonly [date: string, time: string] {
  const dotted = DOTTED.exec(text);
  if (!dotted) return [text.slice(0, 10), text.slice(11).trim()];
  const [, day, month, year, time = ''] = dotted;
  return [`${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`, time.trim()];
}
