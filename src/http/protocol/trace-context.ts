/** Version, trace id, parent id and flags (W3C Trace Context §3.2). Later versions may append more. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.*)?$/;

/** The trace id of `traceparent`; undefined when the field is absent, repeated or malformed. */
export function traceIdOf(field: string | readonly string[] | undefined): string | undefined {
  if (typeof field !== 'string') return undefined;
  const [, version, traceId, more] = TRACEPARENT.exec(field) ?? [];
  return version === '00' && more !== undefined ? undefined : traceId;
}
