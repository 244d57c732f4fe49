import { isLongerThan } from './code-points.js';

/** The maximum length of a quotation from a request, in Unicode code points. */
const MAX_QUOTED_CODE_POINTS = 100;

/** What a fault repeats of a request: a long text is cut. */
export function quote(sent: string): string {
  if (!isLongerThan(sent, MAX_QUOTED_CODE_POINTS)) return sent;
  const codePoints = Array.from(sent.slice(0, 2 * MAX_QUOTED_CODE_POINTS));
  return `${codePoints.slice(0, MAX_QUOTED_CODE_POINTS - 1).join('')}…`;
}

/** A JSON Pointer to a member of the top-level object (RFC 6901 §3). */
export function pointerTo(name: string): string {
  return `/${quote(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
