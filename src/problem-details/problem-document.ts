import { STATUS_CODES } from 'node:http';
import { pathOf } from '../http/route.js';
import type { Problem } from './problem.js';
import { problemDetail } from './problems.routes.js';

/** What a problem's answer says of the request. */
interface ProblemOccasion {
  readonly baseUrl: string;
  readonly instance: string;
  readonly requestId: string;
}

/** What clients are told of a problem (RFC 9457 §3). */
export function problemDocument(
  { kind, detail, errors }: Problem,
  { baseUrl, instance, requestId }: ProblemOccasion,
): object {
  const isPlain = typeof kind === 'number';
  return {
    type: isPlain ? 'about:blank' : baseUrl + pathOf(problemDetail, kind),
    title: isPlain ? STATUS_CODES[kind] : kind.title,
    status: isPlain ? kind : kind.status,
    detail,
    instance,
    request_id: requestId,
    errors,
  };
}
