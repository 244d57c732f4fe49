import type { FaultCode } from './fault-codes.js';

/** One thing that is wrong with a request's input, as it stands in the `errors` list of a problem (RFC 9457 §3). */
export type InputFault = {
  detail: string;
  code: FaultCode;
  /** The most that is allowed; of `too_short` the least. */
  limit?: number | undefined;
} & FaultPlace;

/** Where a fault is: a JSON Pointer (RFC 6901) into the body, a query parameter or a header field. */
export type FaultPlace = { pointer: string } | { parameter: string } | { header: string };

/** The most that a problem quotes of what a client sent, in Unicode code points. */
const MAX_QUOTED_CODE_POINTS = 100;

/** A text that a client sent, as a problem quotes it: a longer one ends with an ellipsis. */
export function quote(sent: string): string {
  if (sent.length <= MAX_QUOTED_CODE_POINTS) return sent;
  const codePoints = Array.from(sent.slice(0, 2 * MAX_QUOTED_CODE_POINTS + 2));
  if (codePoints.length <= MAX_QUOTED_CODE_POINTS) return sent;
  return `${codePoints.slice(0, MAX_QUOTED_CODE_POINTS - 1).join('')}…`;
}

/** A JSON Pointer to a member of the top object (RFC 6901 §3). */
export function pointerTo(name: string): string {
  return `/${quote(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
