import { isUtf8 } from 'node:buffer';
import { readFields } from '../input/input-faults.js';
import { rulesOf } from '../input/input-rules.js';
import { decodeJsonBody } from '../input/json-body.js';
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
   * @returns undefined for a header, and for a row without content
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
  /** See {@link fingerprintOf}; only of files that the site has exported. */
  readonly fingerprint?: string | undefined;
}

/** One post per line, as the API reads it. */
export const ndjsonFormat: ImportFormat = {
  isReadable: true,
  read: (line, now) => toPost(readJsonLine(line), now),
};

const COMMA = 0x2c;

/** @throws InvalidRequest */
export function readJsonLine(line: Buffer): Record<string, unknown> {
  try {
    return decodeJsonBody(line);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const endsWithComma = line.subarray(-2).includes(COMMA);
    const advice = endsWithComma ? ' It ends with a comma; nothing may stand between the lines.' : '';
    // A line is a body of its own to the reader, but one of its fields has the name `body`, too.
    throw new InvalidRequest(
      error.errors!.map((fault) => ({
        ...fault,
        detail: fault.detail.replace('The body', 'The line') + advice,
      })),
    );
  }
}

/** 400: a line is not a post. Its fields tell a person which one. */
export class InvalidPost extends InvalidRequest {
  constructor(
    errors: readonly InputFault[],
    readonly fields: Readonly<Record<string, unknown>>,
  ) {
    super(errors);
  }
}

/** Validates the fields of a line by the same rules as a single post. @throws InvalidPost */
export function toPost(fields: Record<string, unknown>, now: string): ReadPost {
  const faults: InputFault[] = [];
  const post = readFields(CreatePostDto, fields, faults);
  if (faults.length > 0) throw new InvalidPost(faults, fields);
  return { post: toNewPost(post, now), id: post.id, hasDate: post.pub_date !== undefined };
}

/** Longer than any column's name and than the 100 characters that a fault quotes. */
const MAX_NAME_LENGTH = 512;
const { fields: FIELDS, optional: OPTIONAL } = rulesOf(CreatePostDto);
const REQUIRED = FIELDS.filter((field) => !OPTIONAL.has(field));

/**
 * CSV as the API reads it: exact. One post per record, with the columns of the export in any order. The first record
 * names the columns.
 */
export class CsvFormat implements ImportFormat {
  isReadable = false;
  /** Undefined before the header. */
  columns: readonly string[] | undefined;
  readonly findEnd: (chunk: Buffer, from: number) => number;
  readonly #delimiter: number;

  /** @param encoding of the file, for faults; its lines were converted to UTF-8 */
  constructor(
    delimiter = ',',
    private readonly encoding = 'UTF-8',
  ) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.findEnd = csvRecordEnds(this.#delimiter);
  }

  read(line: Buffer, now: string): ReadPost | undefined {
    const cells = readCsvRecord(line, this.#delimiter, this.columns);
    if (!isUtf8(line)) {
      const [before = ''] = line.toString().split('\ufffd', 1);
      const detail = `The record has bytes that are not ${this.encoding}, after “${before.slice(-30)}”.`;
      throw new InvalidRequest([{ detail, code: 'not_utf8', pointer: '' }]);
    }
    if (this.columns) return this.readRow(this.columns, cells, now);
    this.columns = this.readHeader(cells.map((cell) => cell.slice(0, MAX_NAME_LENGTH)));
    this.isReadable = this.columns !== undefined;
    return undefined;
  }

  /** @returns the names of the columns; undefined for a row before the header @throws InvalidRequest */
  protected readHeader(cells: readonly string[]): readonly string[] | undefined {
    const faults = faultsOfColumns(cells);
    if (faults.length > 0) throw new InvalidRequest(faults);
    return cells;
  }

  /** @returns undefined for a row without content @throws InvalidRequest */
  protected readRow(columns: readonly string[], cells: readonly string[], now: string): ReadPost | undefined {
    if (cells.length !== columns.length)
      throw malformed(
        `The number of cells is ${cells.length}; it must be that of the header, ${columns.length}.`,
      );
    return toPost(fieldsOf(columns, cells), now);
  }
}

/** The fields of a record. An empty cell means that an optional field is absent, as in a form. A column may lack a name. */
export function fieldsOf(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (column !== '' && (cell !== '' || !OPTIONAL.has(column))) fields[column] = cell;
  }
  return fields;
}

/**
 * @param others names that are allowed besides those of the fields
 * @param nameOf how a fault names an unknown column
 */
export function faultsOfColumns(
  columns: readonly string[],
  others: readonly string[] = [],
  nameOf: (index: number) => string = () => 'The column',
): InputFault[] {
  const known: readonly string[] = POST_FIELDS;
  const faults: InputFault[] = [];
  const names = new Set<string>();
  for (const [index, column] of columns.entries()) {
    const pointer = pointerTo(column);
    if (column !== '' && names.has(column))
      faults.push({ detail: 'The column may occur only once.', code: 'repeated', pointer });
    else if (!known.includes(column) && !others.includes(column)) {
      const detail = `${nameOf(index)} is not known; known are ${known.join(', ')}.`;
      faults.push({ detail, code: 'unknown_field', pointer });
    }
    names.add(column);
  }
  for (const column of REQUIRED) {
    if (!names.has(column))
      faults.push({ detail: 'The column is required.', code: 'required', pointer: pointerTo(column) });
  }
  return faults;
}
