import { types } from 'node:util';

/** Control characters, line and paragraph separators, and the marks that turn the direction of what follows. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Makes a text safe to print within one line: no character of it breaks the line, drives a terminal or reorders what
 * is read. What a client sends (a path, a title) could forge log lines otherwise (CWE-117).
 */
export function escapeControlCharacters(text: string): string {
  return text.replace(UNPRINTABLE, (character) => SHORT_ESCAPES[character] ?? escapeUnit(character));
}

/**
 * Escapes, within JSON, what JSON allows unescaped although some readers break lines at it or obey it: DEL, the C1
 * controls (NEL among them) and U+2028, U+2029. The JSON keeps its value.
 */
export function escapeRawControlCharacters(json: string): string {
  // The line feed that ends a record is not in the class.
  return json.replace(/[\u007F-\u009F\u2028\u2029]/g, escapeUnit);
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** How an error stands in the log, as `err`. */
interface ErrorRecord {
  readonly type: string;
  readonly message: string;
  /** The stack with those of its causes; a line break in it only ever begins a frame or a cause. */
  readonly stack: string;
  /** What the system or a library calls the fault, such as `ECONNREFUSED`. */
  readonly code?: string | number;
}

/** Causes can be chained in a ring, or by code that wraps an error again and again. */
const MAX_ERRORS = 10;

/**
 * Describes an error for the log; anything else that was thrown is left as it is.
 *
 * Other properties of the error are left out: TypeORM's `parameters`, for one, hold whole posts.
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
  // A set's iteration reaches what is added during it.
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
 * Keeps the line breaks of a stack that separate its frames, and no others: the message in it may hold what a client
 * sent.
 */
export function formatStack(stack: string, message: string): string {
  const start = stack.indexOf(message);
  // A message that was changed after the error was made is not in its stack.
  const end = start === -1 ? 0 : start + message.length;
  const frames = stack.slice(end).split(/\n(?= +at )/);
  return [stack.slice(0, end) + (frames[0] ?? ''), ...frames.slice(1)]
    .map(escapeControlCharacters)
    .join('\n');
}

/** Also knows errors of another realm, which are not `instanceof Error` here (jest's modules against Node's own). */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}
