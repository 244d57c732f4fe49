import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';

export type Fields = Readonly<Record<string, string>>;

/** The status and the header fields of a response, without those of the request and of the connection. */
export interface Head {
  readonly status: number;
  readonly fields: Fields;
  /** The status line and the fields, as they are sent. */
  readonly text: string;
}

export function headOf(status: number, fields: Fields): Head {
  const text = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`, linesOf(fields)].join('');
  return { status, fields, text };
}

/**
 * Validates the fields as `writeHead` does: a value with a line break would inject another field. Joined, because a text
 * of `+=` keeps all of its pieces in memory, and responses are cached.
 */
export function linesOf(fields: Fields): string {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    lines.push(name, ': ', value, '\r\n');
  }
  return lines.join('');
}
