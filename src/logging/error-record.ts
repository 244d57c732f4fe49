import { types } from 'node:util';

/** Control characters, line and paragraph separators, and bidirectional control characters. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Makes a text safe to print in one line: no character breaks the line, controls a terminal or reorders the text.
 * Otherwise, client input (a path, a title) could forge log lines (CWE-117).
 */
export function escapeControlCharacters(text: string): string {
  return text.replace(UNPRINTABLE, (character) => SHORT_ESCAPES[character] ?? escapeUnit(character));
}

/**
 * Escapes, within JSON, characters that JSON allows unescaped although some readers break lines at them or interpret
 * them: DEL, the C1 controls (NEL among them) and U+2028, U+2029. The value of the JSON is unchanged.
 */
export function escapeRawControlCharacters(json: string): string {
  // The line feed that ends a record is not in the class, so it is kept.
  return json.replace(/[\u007F-\u009F\u2028\u2029]/g, escapeUnit);
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The log format of an error, in the field `err`. */
interface ErrorRecord {
  readonly type: string;
  readonly message: string;
  /** The stack, followed by the stacks of the causes. Each line break starts a frame or a cause. */
  readonly stack: string;
  /** The error code of the system or a library, such as `ECONNREFUSED`. */
  readonly code?: string | number;
}

/** Limits chains of causes, which can be circular, or long when code wraps an error repeatedly. */
const MAX_ERRORS = 10;

/**
 * Converts an error to its log format; returns any other thrown value unchanged.
 *
 * Other properties of the error are omitted: TypeORM's `parameters`, for example, contain whole posts.
 */
export function describeError(thrown: unknown): unknown {
  if (!isError(thrown)) return thrown;
  const code: unknown = 'code' in thrown ? thrown.code : undefined;
  const record: ErrorRecord = {
    type: thrown.name,
    message: thrown.message,
    stack: listCauses(thrown).map(describeStack).join('\ncaused by: '),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
  };
  return record;
}

/** An error and what caused it, outermost first; the errors of an `AggregateError` count as causes. */
function listCauses(error: Error): Error[] {
  const found = new Set([error]);
  // The iteration of a set includes items added during it.
  for (const outer of found) {
    const several: unknown = 'errors' in outer ? outer.errors : [];
    for (const inner of [outer.cause, ...(Array.isArray(several) ? several : [])]) {
      if (isError(inner) && found.size < MAX_ERRORS) found.add(inner);
    }
  }
  return [...found];
}

function describeStack({ name, message, stack }: Error): string {
  return formatStack(stack ?? `${name}: ${message}`, message);
}

/**
 * Keeps the line breaks that separate the frames of a stack and escapes all others: the message may contain client
 * input.
 */
export function formatStack(stack: string, message: string): string {
  const start = stack.indexOf(message);
  // The stack does not contain a message that was changed after the error was created.
  const end = start === -1 ? 0 : start + message.length;
  const frames = stack.slice(end).split(/\n(?= +at )/);
  return [stack.slice(0, end) + (frames[0] ?? ''), ...frames.slice(1)]
    .map(escapeControlCharacters)
    .join('\n');
}

/**
 * Also recognises errors of another realm, which are not `instanceof Error` here (jest's modules against Node's own).
 */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}
