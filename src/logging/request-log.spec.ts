import { traceFields } from './request-log.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';

describe('traceFields', () => {
  it.each([`00-${TRACE_ID}-${SPAN_ID}-01`, `cc-${TRACE_ID}-${SPAN_ID}-01-what-the-future-will-be-like`])(
    'reads the trace and the parent span from %s',
    (traceparent) => {
      expect(traceFields(traceparent)).toEqual({ trace_id: TRACE_ID, parent_span_id: SPAN_ID });
    },
  );

  it.each([undefined, '', `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`, 'x'.repeat(10_000)])(
    'finds no trace in %s',
    (traceparent) => expect(traceFields(traceparent)).toBeUndefined(),
  );
});
