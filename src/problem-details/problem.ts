import { HttpException } from '@nestjs/common';
import { STATUS_CODES } from 'node:http';
import { plainCode, type ProblemCode, type ProblemKind } from './catalogue.js';
import type { InputFault } from './input-fault.js';

export interface ProblemOptions {
  /** The text for the client; never a stack, an SQL text, a file path or a secret. */
  detail?: string;
  errors?: readonly InputFault[];
  /** Header fields that belong to the response, such as `Allow` or `Retry-After`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/**
 * The base class of every error of this service (RFC 9457). A class carries status, type, code and title; only
 * the detail varies.
 */
export abstract class Problem extends HttpException {
  readonly code: ProblemCode;
  readonly detail: string | undefined;
  readonly errors: readonly InputFault[] | undefined;
  readonly headers: Record<string, string>;

  /** @param kind an entry of the catalogue, or the status of a plain HTTP condition */
  constructor(
    readonly kind: ProblemKind | number,
    { detail, errors, headers = {}, cause }: ProblemOptions = {},
  ) {
    const status = typeof kind === 'number' ? kind : kind.status;
    super(detail ?? STATUS_CODES[status] ?? 'Error', status, { cause });
    this.code = typeof kind === 'number' ? plainCode(kind) : kind.slug;
    this.detail = detail;
    this.errors = errors;
    this.headers = headers;
  }
}

/** The data of the request in the response with a problem. */
interface ProblemOccasion {
  readonly urlOf: (routeName: string, parameters?: object) => string;
  readonly instance: string;
  readonly requestId: string;
}

/** The document that describes a problem to clients (RFC 9457 §3). */
export function problemDocument(
  { kind, code, detail, errors }: Problem,
  { urlOf, instance, requestId }: ProblemOccasion,
): object {
  const isPlain = typeof kind === 'number';
  return {
    type: isPlain ? 'about:blank' : urlOf('problem-detail', kind),
    code,
    title: isPlain ? STATUS_CODES[kind] : kind.title,
    status: isPlain ? kind : kind.status,
    detail,
    instance,
    request_id: requestId,
    errors,
  };
}
