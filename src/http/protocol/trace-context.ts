/** `00-<trace id>-<parent id>-<flags>`; a later version may have more behind it (W3C Trace Context §3.2). */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(-.*)?$/;

/** The trace that a request belongs to, as it stands in the log. */
export interface TraceFields {
  readonly trace_id: string;
  /** The span of the caller. */
  readonly parent_span_id: string;
}

/** Reads a `traceparent` field (https://www.w3.org/TR/trace-context/); a malformed one says nothing. */
export function traceFields(traceparent: string | string[] | undefined): TraceFields | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId, parentId, rest] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || parentId === undefined) return undefined;
  return version === '00' && rest !== undefined ? undefined : { trace_id: traceId, parent_span_id: parentId };
}
