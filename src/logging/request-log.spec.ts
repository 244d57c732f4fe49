import type { Request, Response } from 'express';
import { EventEmitter } from 'node:events';
import { observeCompletion, traceFields } from './request-log.js';

describe('observeCompletion', () => {
  it('notifies the other observers when one throws', () => {
    const request = {} as Request;
    const response = new EventEmitter() as unknown as Response;
    const calls: unknown[] = [];
    const fault = new Error('an observer is at fault');
    const observe = observeCompletion(
      [
        () => {
          throw fault;
        },
        (...observed) => calls.push(observed),
      ],
      (...reported) => calls.push(reported),
    );
    observe(request, response);
    response.emit('close');
    expect(calls).toEqual([
      [fault, request],
      [request, response, expect.any(Number)],
    ]);
  });
});

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
