/** A syntax fault of a row. */
export type CsvFault = 'text-after-quote' | 'unclosed-quote';

export interface CsvRow {
  /** The line of the file where the row starts, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly fault?: CsvFault;
}

type Place = 'cell-start' | 'plain' | 'quoted' | 'quote-in-quoted' | 'after-quoted';

/**
 * Reads CSV (RFC 4180) in chunks of any size and holds one row at a time. Cells are exact, including their line breaks.
 * Rows may end in CRLF, LF or CR; blank lines are skipped.
 * We use our own parser because users fix lines of the file, so each row needs its line number, and quoted cells
 * contain line breaks.
 */
export class CsvReader {
  readonly #cellEnd: RegExp;
  #place: Place = 'cell-start';
  #cell = '';
  #cells: string[] = [];
  #rowHasQuotes = false;
  #fault: CsvFault | undefined;
  #line = 1;
  #rowLine = 1;
  #previousWasCr = false;

  constructor(private readonly delimiter: string) {
    this.#cellEnd = new RegExp(`[${delimiter === '\t' ? String.raw`\t` : delimiter}\r\n]`, 'g');
  }

  *read(text: string): Generator<CsvRow> {
    let at = 0;
    while (at < text.length) {
      if (this.#place === 'quoted') {
        const quote = text.indexOf('"', at);
        const end = quote === -1 ? text.length : quote;
        this.#takeQuoted(text.slice(at, end));
        if (quote !== -1) {
          this.#place = 'quote-in-quoted';
          this.#previousWasCr = false;
        }
        at = end + 1;
        continue;
      }
      const character = text[at]!;
      if (character === '"' && (this.#place === 'cell-start' || this.#place === 'quote-in-quoted')) {
        if (this.#place === 'quote-in-quoted') this.#cell += '"';
        this.#place = 'quoted';
        this.#rowHasQuotes = true;
        this.#previousWasCr = false;
        at++;
      } else if (character === this.delimiter) {
        this.#endCell();
        at++;
      } else if (character === '\n' || character === '\r') {
        const endsCrLf = character === '\n' && this.#previousWasCr;
        if (!endsCrLf) yield* this.#endRow();
        this.#previousWasCr = character === '\r';
        at++;
      } else {
        this.#cellEnd.lastIndex = at;
        const end = this.#cellEnd.exec(text)?.index ?? text.length;
        this.#takePlain(text.slice(at, end));
        at = end;
      }
    }
  }

  /** Returns the last row if no line break ended it. */
  *end(): Generator<CsvRow> {
    if (this.#place === 'quoted') this.#fault ??= 'unclosed-quote';
    yield* this.#endRow();
  }

  #takeQuoted(text: string): void {
    this.#cell += text;
    const breaks = text.match(/\r\n|\r|\n/g)?.length ?? 0;
    const isCounted = this.#previousWasCr && text.startsWith('\n');
    this.#line += isCounted ? breaks - 1 : breaks;
    if (text !== '') this.#previousWasCr = text.endsWith('\r');
  }

  #takePlain(text: string): void {
    this.#previousWasCr = false;
    if (this.#place === 'quote-in-quoted') this.#place = 'after-quoted';
    if (this.#place === 'after-quoted') {
      // Spaces between the closing quote and the delimiter are ignored.
      if (text.trim() !== '') this.#fault ??= 'text-after-quote';
      return;
    }
    this.#place = 'plain';
    this.#cell += text;
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#place = 'cell-start';
    this.#previousWasCr = false;
  }

  *#endRow(): Generator<CsvRow> {
    this.#endCell();
    const row = { line: this.#rowLine, cells: this.#cells, ...(this.#fault && { fault: this.#fault }) };
    const isBlank = row.cells.length === 1 && row.cells[0] === '' && !this.#rowHasQuotes;
    this.#cells = [];
    this.#rowHasQuotes = false;
    this.#fault = undefined;
    this.#line++;
    this.#rowLine = this.#line;
    if (!isBlank) yield row;
  }
}
