import { STATUS_CODES } from 'node:http';
import type { Problem } from './problem.js';

/** What a problem's answer says of the request. */
interface ProblemOccasion {
  /** The URL of a named route. */
  readonly urlOf: (routeName: string, parameters?: object) => string;
  readonly instance: string;
  readonly requestId: string;
}

/** What clients are told of a problem (RFC 9457 §3). */
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
