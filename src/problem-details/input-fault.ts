/** One thing that is wrong with a request's input, as it stands in the `errors` list of a problem (RFC 9457 §3). */
export type InputFault = { detail: string } & FaultPlace;

/** Where a fault is: a JSON Pointer (RFC 6901) into the body, a query parameter or a header field. */
export type FaultPlace = { pointer: string } | { parameter: string } | { header: string };

/** A JSON Pointer to a member of the top object (RFC 6901 §3). */
export function pointerTo(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
