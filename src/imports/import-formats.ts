import { isUtf8 } from 'node:buffer';
import { readBody } from '../http/request/input-reader.js';
import { rulesOf } from '../http/request/input-rules.js';
import { decodeJsonBody } from '../http/request/json-body.js';
import type { Line, LineEnds } from './lines.js';
import { CreatePostDto, toNewPost } from '../posts/dto/post.dto.js';
import { POST_FIELDS } from '../posts/lists/list-fields.js';
import type { NewPost } from '../posts/post.entity.js';
import { type InputFault, pointerTo } from '../problem-details/problem.js';
import { InvalidRequest } from '../problem-details/problems.js';
import { CsvRecordEnds, textOfCell } from './csv-records.js';

/** The most faults that a refused import reports. */
export const MAX_FAULTS = 100;

export interface ImportFormat {
  /** Finds the ends of lines; by default every line feed. */
  readonly lineEnds?: LineEnds;
  /**
   * Reads the line as the header, if it is one.
   *
   * @throws InvalidRequest when the following lines cannot be read
   */
  readHeader?(line: Line): boolean;
  /**
   * Reads a line by the same rules as a single post. @param now the date of a post without one @throws InvalidRequest
   */
  readPost(line: Line, now: string): ReadPost;
}

/** A post of an import, with what it says besides its content. */
export interface ReadPost {
  readonly post: NewPost;
  /** Not validated: imports that create posts ignore it. */
  readonly id: unknown;
  readonly hasDate: boolean;
}

export const ndjsonFormat: ImportFormat = {
  readPost({ bytes }, now) {
    return toPost(decodeJsonBody(bytes), now);
  },
};

/** Validates the fields of a line by the same rules as a single post. @throws InvalidRequest */
function toPost(fields: Record<string, unknown>, now: string): ReadPost {
  const faults: InputFault[] = [];
  const post = readBody(CreatePostDto, { kind: 'fields', fields }, faults);
  if (faults.length > 0) throw new InvalidRequest(faults);
  return { post: toNewPost(post, now), id: post.id, hasDate: post.pub_date !== undefined };
}

export function faultsOfLine(line: number, error: InvalidRequest): (InputFault & { line: number })[] {
  return (error.errors ?? []).map(({ detail, code, ...rest }) => ({ detail, code, line, ...rest }));
}

/** Longer than any column's name and than the 100 characters that a fault quotes. */
const MAX_NAME_BYTES = 512;
const NOT_UTF8: InputFault = { detail: 'The record is not UTF-8.', code: 'not_utf8', pointer: '' };
const OPTIONAL = rulesOf(CreatePostDto).forms.emptyMeansAbsent;
const REQUIRED = rulesOf(CreatePostDto).fields.filter((field) => !OPTIONAL.includes(field));

/** One post per record, with the columns of the export in any order. The first record names the columns. */
export class CsvFormat implements ImportFormat {
  readonly lineEnds: CsvRecordEnds;
  #columns: readonly string[] | undefined;

  constructor(delimiter?: string) {
    this.lineEnds = new CsvRecordEnds(delimiter);
  }

  get columns(): readonly string[] | undefined {
    return this.#columns;
  }

  readHeader({ number, bytes }: Line): boolean {
    if (this.#columns) return false;
    const { cells, fault } = this.lineEnds.record;
    if (fault) throw refused([{ detail: fault.detail, code: 'malformed_csv', pointer: '' }], number);
    if (!isUtf8(bytes)) throw refused([NOT_UTF8], number);
    const columns = cells.map((cell) =>
      textOfCell(bytes, { ...cell, end: Math.min(cell.end, cell.start + MAX_NAME_BYTES) }),
    );
    const faults = faultsOfColumns(columns);
    if (faults.length > 0) throw refused(faults, number);
    this.#columns = columns;
    return true;
  }

  readPost({ bytes }: Line, now: string): ReadPost {
    const columns = this.#columns!;
    const { cells, cellCount, fault } = this.lineEnds.record;
    if (fault) {
      const column = columns[fault.cell];
      const pointer = column === undefined ? '' : pointerTo(column);
      throw new InvalidRequest([{ detail: fault.detail, code: 'malformed_csv', pointer }]);
    }
    if (cellCount !== columns.length) {
      const detail = `The number of cells is ${cellCount}; it must be that of the header, ${columns.length}.`;
      throw new InvalidRequest([{ detail, code: 'malformed_csv', pointer: '' }]);
    }
    if (!isUtf8(bytes)) throw new InvalidRequest([NOT_UTF8]);
    const texts = cells.map((cell) => textOfCell(bytes, cell));
    return toPost(fieldsFrom(columns, texts), now);
  }
}

function faultsOfColumns(columns: readonly string[]): InputFault[] {
  const known: readonly string[] = POST_FIELDS;
  const faults: InputFault[] = [];
  for (const [index, column] of columns.entries()) {
    const pointer = pointerTo(column);
    if (!known.includes(column)) {
      faults.push({
        detail: `The column is not known; known are ${known.join(', ')}.`,
        code: 'unknown_field',
        pointer,
      });
    } else if (columns.indexOf(column) < index) {
      faults.push({ detail: 'The column may occur only once.', code: 'repeated', pointer });
    }
  }
  for (const column of REQUIRED) {
    if (!columns.includes(column))
      faults.push({ detail: 'The column is required.', code: 'required', pointer: pointerTo(column) });
  }
  return faults;
}

/** An empty cell means that an optional field is absent, as in a form. */
function fieldsFrom(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const cell = cells[index]!;
    if (cell !== '' || !OPTIONAL.includes(column)) fields[column] = cell;
  }
  return fields;
}

function refused(faults: readonly InputFault[], line: number): InvalidRequest {
  return new InvalidRequest(faultsOfLine(line, new InvalidRequest(faults)).slice(0, MAX_FAULTS));
}
