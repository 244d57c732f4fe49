import { isUtf8 } from 'node:buffer';
import { readBody } from '../http/request/input-reader.js';
import { rulesOf } from '../http/request/input-rules.js';
import { decodeJsonBody } from '../http/request/json-body.js';
import { CreatePostDto, toNewPost } from '../posts/dto/post.dto.js';
import { POST_FIELDS } from '../posts/lists/list-fields.js';
import type { NewPost } from '../posts/post.entity.js';
import { type InputFault, pointerTo } from '../problem-details/problem.js';
import { InvalidRequest } from '../problem-details/problems.js';
import { csvRecordEnds, malformed, readCsvRecord } from './csv-records.js';

/** How the lines of a file become posts, by the same rules as a single post. */
export interface ImportFormat {
  /** Whether posts can be read: false before a header, and after one with faults. */
  readonly isReadable: boolean;
  /** Finds the ends of lines; by default every line feed. */
  readonly findEnd?: (chunk: Buffer, from: number) => number;
  /**
   * @param now the date of a post without one
   * @returns undefined for a header
   * @throws InvalidRequest for a header, too
   */
  read(line: Buffer, now: string): ReadPost | undefined;
}

/** A post of an import, with what it says besides its content. */
export interface ReadPost {
  readonly post: NewPost;
  /** Not validated: imports that only create posts ignore it. */
  readonly id: unknown;
  readonly hasDate: boolean;
}

export const ndjsonFormat: ImportFormat = {
  isReadable: true,
  read: (line, now) => toPost(decodeJsonBody(line), now),
};

/** Validates the fields of a line by the same rules as a single post. @throws InvalidRequest */
function toPost(fields: Record<string, unknown>, now: string): ReadPost {
  const faults: InputFault[] = [];
  const post = readBody(CreatePostDto, fields, faults);
  if (faults.length > 0) throw new InvalidRequest(faults);
  return { post: toNewPost(post, now), id: post.id, hasDate: post.pub_date !== undefined };
}

/** Longer than any column's name and than the 100 characters that a fault quotes. */
const MAX_NAME_BYTES = 512;
const { fields: FIELDS, optional: OPTIONAL } = rulesOf(CreatePostDto);
const REQUIRED = FIELDS.filter((field) => !OPTIONAL.has(field));

/** One post per record, with the columns of the export in any order. The first record names the columns. */
export class CsvFormat implements ImportFormat {
  isReadable = false;
  readonly findEnd: (chunk: Buffer, from: number) => number;
  readonly #delimiter: number;
  columns: readonly string[] | undefined;

  /** @param textOf restores the text that a spreadsheet has changed */
  constructor(
    delimiter = ',',
    private readonly textOf: (cell: string) => string = (cell) => cell,
  ) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.findEnd = csvRecordEnds(this.#delimiter);
  }

  read(line: Buffer, now: string): ReadPost | undefined {
    const { columns } = this;
    const cells = readCsvRecord(line, this.#delimiter, columns);
    if (!isUtf8(line))
      throw new InvalidRequest([{ detail: 'The record is not UTF-8.', code: 'not_utf8', pointer: '' }]);
    if (!columns) {
      this.columns = cells.map((cell) => cell.toString('utf8', 0, MAX_NAME_BYTES));
      const faults = faultsOfColumns(this.columns);
      if (faults.length > 0) throw new InvalidRequest(faults);
      this.isReadable = true;
      return undefined;
    }
    if (cells.length !== columns.length)
      throw malformed(
        `The number of cells is ${cells.length}; it must be that of the header, ${columns.length}.`,
      );
    const fields: Record<string, unknown> = {};
    for (const [index, column] of columns.entries()) {
      const cell = cells[index]!.toString();
      // An empty cell means that an optional field is absent, as in a form.
      if (cell !== '' || !OPTIONAL.has(column)) fields[column] = this.textOf(cell);
    }
    return toPost(fields, now);
  }
}

function faultsOfColumns(columns: readonly string[]): InputFault[] {
  const known: readonly string[] = POST_FIELDS;
  const unknown = `The column is not known; known are ${known.join(', ')}.`;
  const faults: InputFault[] = [];
  for (const [index, column] of columns.entries()) {
    const pointer = pointerTo(column);
    if (!known.includes(column)) faults.push({ detail: unknown, code: 'unknown_field', pointer });
    else if (columns.indexOf(column) < index)
      faults.push({ detail: 'The column may occur only once.', code: 'repeated', pointer });
  }
  for (const column of REQUIRED) {
    if (!columns.includes(column))
      faults.push({ detail: 'The column is required.', code: 'required', pointer: pointerTo(column) });
  }
  return faults;
}
