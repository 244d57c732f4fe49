import { HttpException } from '@nestjs/common';
import { STATUS_CODES } from 'node:http';

/** A kind of problem. One that says more than its status has a `type`, which is a URL with its explanation. */
export interface ProblemKind {
  readonly status: number;
  /** The code, and the fragment of the type. It never changes: clients compare it. */
  readonly slug: string;
  readonly title: string;
  readonly explanation: string;
  /** Only kinds that say more than their status have one; the others are `about:blank` (RFC 9457 §4.2.1). */
  readonly remedy?: string;
  /** Occurs only in the administration, which the OpenAPI document does not describe. */
  readonly isOfAdministration?: true;
}

type HeaderFields = Readonly<Record<string, string>>;

interface ProblemOptions {
  errors?: readonly InputFault[];
  /** Header fields of this response, besides those of the class. */
  headers?: HeaderFields;
  /** Members of the document besides those of every problem (RFC 9457 §3.2). */
  members?: Readonly<Record<string, unknown>>;
  cause?: unknown;
  /** By default that of the class. */
  kind?: ProblemKind;
}

/** The base class of every error of this service (RFC 9457). A class carries its kind and its header fields. */
export abstract class Problem extends HttpException {
  static readonly kind: ProblemKind;
  /** The detail, unless the constructor gets one; by default the explanation of the kind. */
  static readonly sentence: string | undefined;
  /** Header fields that belong to the response, such as `Retry-After`. */
  static readonly headers: HeaderFields = {};

  readonly kind: ProblemKind;
  readonly errors: readonly InputFault[] | undefined;
  readonly headers: HeaderFields;
  readonly members: Readonly<Record<string, unknown>>;

  /** @param detail the text for the client; never a stack, an SQL text, a file path or a secret */
  constructor(detail?: string, { errors, headers, members = {}, cause, kind }: ProblemOptions = {}) {
    const kindOfThis = kind ?? new.target.kind;
    super(detail ?? new.target.sentence ?? kindOfThis.explanation, kindOfThis.status, { cause });
    this.kind = kindOfThis;
    this.errors = errors;
    this.members = members;
    this.headers = Object.assign({}, new.target.headers, headers);
  }
}

/** The kinds of the problem classes that are loaded, by slug. */
const kinds = new Map<string, ProblemKind>();

/** All kinds of problem, by status; those of the administration last. Call it when all rooms are loaded. */
export function problemKinds(): readonly ProblemKind[] {
  const inAdministration = (kind: ProblemKind): number => (kind.isOfAdministration ? 1 : 0);
  return [...kinds.values()].toSorted(
    (a, b) =>
      inAdministration(a) - inAdministration(b) || a.status - b.status || a.slug.localeCompare(b.slug),
  );
}

/**
 * The base class of a kind of problem, which is in the catalogue from then on. Its title is the slug in words, unless
 * another one is given.
 *
 * @throws Error when another class has the slug
 */
export function ProblemOf({ slug, ...others }: Omit<ProblemKind, 'title'> & { title?: string }) {
  if (kinds.has(slug)) throw new Error(`Two kinds of problem have the slug ${slug}.`);
  const title = slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll('-', ' ');
  const kind: ProblemKind = { slug, title, ...others };
  kinds.set(slug, kind);
  return class extends Problem {
    static override readonly kind: ProblemKind = kind;
  };
}

/** The base class of a plain HTTP condition, named by its status. */
export function PlainProblem(status: number, explanation: string) {
  return ProblemOf(plainKind(status, explanation));
}

function plainKind(status: number, explanation: string): ProblemKind {
  const title = STATUS_CODES[status]!;
  return { status, slug: title.toLowerCase().replaceAll(' ', '-'), title, explanation };
}

/** A condition that another part has found, such as Nest or a library: it has only the status. */
export class StatusProblem extends Problem {
  /** @param status of 400 or more; an unknown one becomes the first of its class */
  constructor(status: number, { detail, ...options }: Omit<ProblemOptions, 'kind'> & { detail?: string }) {
    const firstOfClass = status < 500 ? 400 : 500;
    const known = status in STATUS_CODES ? status : firstOfClass;
    super(detail, { ...options, kind: plainKind(known, STATUS_CODES[known]!) });
  }
}

/** The codes of the faults in a problem's `errors`, and their meanings. They never change: clients compare them. */
export const FAULT_CODES = {
  required: 'It is missing.',
  unknown_field: 'There is no such field or column.',
  unknown_parameter: 'There is no such parameter.',
  repeated: 'It occurs more than once, or another resource has it.',
  mutually_exclusive: 'It excludes another field or parameter.',
  blank: 'It is empty, or only white space.',
  too_short: 'It has fewer characters than limit.',
  too_long: 'It has more characters than limit.',
  too_large: 'The body or line has more bytes than limit.',
  too_many: 'There are more entries, fields or values than limit.',
  too_deep: 'The JSON nests deeper than limit.',
  not_a_string: 'It is not a string.',
  not_a_boolean: 'It is neither true nor false.',
  not_an_integer: 'It is not an integer, or in a query not a canonical one: 7, not 07 or 7.0.',
  not_an_array: 'It is not an array.',
  not_an_object: 'It is not a JSON object.',
  not_a_date: 'It is not a date and time in the years 0001 to 9999.',
  not_one_of: 'It is not one of those that detail names.',
  out_of_range: 'It is too small or too large, or a time that is not in the future.',
  null_character: 'It contains U+0000.',
  lone_surrogate: 'It contains half of a surrogate pair.',
  not_utf8: 'It is not UTF-8, or declared to be another charset.',
  malformed: 'It does not have the form that detail describes.',
  malformed_json: 'The body or line is not well-formed JSON.',
  malformed_csv: 'The record is not well-formed CSV, or has another number of cells than the header.',
  malformed_form: 'The form is not well-formed.',
  malformed_encoding: 'The body cannot be decompressed as Content-Encoding says.',
  file_not_allowed: 'The part of the form is a file.',
  id_mismatch: 'Another part of the request names another id.',
  unknown_id: 'No post has this id.',
  outdated: 'The post has another entity tag: it was changed meanwhile.',
  bad_cursor: 'The cursor was altered, or belongs to another list.',
  not_acceptable: 'Accept allows none of the formats that detail names.',
  username_taken: 'Another account has the user name.',
  last_administrator: 'It is the last enabled administrator.',
  wrong_password: 'The current password is wrong.',
} as const satisfies Record<string, string>;

export type FaultCode = keyof typeof FAULT_CODES;

/** One fault in a request's input, as an entry of a problem's `errors` (RFC 9457 §3). */
export type InputFault = {
  detail: string;
  code: FaultCode;
  /** The maximum; for `too_short`, the minimum. */
  limit?: number | undefined;
} & FaultPlace;

/** Where a fault is: a JSON Pointer (RFC 6901) into the body, a query parameter or a header field. */
export type FaultPlace = { pointer: string } | { parameter: string } | { header: string };
