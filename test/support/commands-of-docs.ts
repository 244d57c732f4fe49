import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Languages of fenced blocks that hold no commands, settings or statements. */
const NO_COMMANDS = new Set(['json']);
/** Code in a sentence or a table counts as a command when it begins with one of these and has arguments. */
const INLINE =
  /(?<!`)`((?:npm run posts --|docker|bash|pg_\w+|psql|chmod|rsync|rclone|kubectl|systemctl) [^`]+)`/g;

/** The fenced blocks and the commands in sentences of a document. A test takes each of them once, to run or check it. */
export class DocumentedCommands {
  readonly #left: string[];

  /** @param file below docs/ */
  constructor(file: string) {
    const text = readFileSync(join(import.meta.dirname, '../../docs', file), 'utf8');
    const fenced = /^```(\w+)\n([\s\S]*?)^```$/gm;
    const blocks = [...text.matchAll(fenced)].filter(([, language]) => !NO_COMMANDS.has(language!));
    const inline = text.replaceAll(fenced, '').matchAll(INLINE);
    this.#left = [...blocks.map(([, , block]) => block!), ...[...inline].map(([, command]) => command!)];
  }

  /** The block or command that begins with the text. @throws when there is none, or no more */
  take(start: string): string {
    const index = this.#left.findIndex((each) => each.startsWith(start));
    if (index === -1) throw new Error(`The document has no command ${start}`);
    return this.#left.splice(index, 1)[0]!;
  }

  /** The commands that no test has taken. */
  get left(): readonly string[] {
    return this.#left;
  }
}
