import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';

export type Fields = Readonly<Record<string, string>>;

/** The status and the header fields of a response, without those of the request and of the connection. */
export class Head {
  readonly hasBody: boolean;
  #text: string | undefined;

  constructor(
    readonly status: number,
    readonly fields: Fields,
  ) {
    this.hasBody = status !== 204 && status !== 304;
  }

  /** Whether Node has to add nothing but Date and the fields of a persistent connection. */
  get isComplete(): boolean {
    return !('Connection' in this.fields) && (!this.hasBody || 'Content-Length' in this.fields);
  }

  get text(): string {
    return (this.#text ??= `HTTP/1.1 ${this.status} ${STATUS_CODES[this.status]}\r\n${linesOf(this.fields)}`);
  }
}

/** Validates the fields as `writeHead` does: a value with a line break would inject another field. */
export function linesOf(fields: Fields): string {
  const lines = Object.entries(fields).map(([name, value]) => {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return `${name}: ${value}\r\n`;
  });
  return lines.join('');
}
