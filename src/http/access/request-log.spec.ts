import type { Request } from 'express';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { ANONYMOUS_USER } from '../../users/user.js';
import { RequestClient } from '../client/request-client.js';
import { RouteTable } from '../routes/route-table.js';
import { RequestContext } from './request-context.js';
import { logRequest } from './request-log.js';

/** The line of a request whose other lines have the trace of a tracing tool, such as OpenTelemetry, which adds it by a mixin. */
function tracedLine(headers: Readonly<Record<string, string>>): unknown {
  const output = new PassThrough();
  const logger = pino({ mixin: () => ({ trace_id: 'of the tool', span_id: 'of the tool' }) }, output);
  const socket = Object.assign(new PassThrough(), { remoteAddress: '192.0.2.1' });
  const sent = { headers, url: '/posts/', method: 'GET', socket, user: ANONYMOUS_USER };
  const request = sent as unknown as Request;
  request.context = new RequestContext(
    request,
    new RequestClient(request),
    new RouteTable([]),
    'http://localhost',
  );
  logRequest(logger, request, { status: 200, durationMs: 1, aborted: false });
  return JSON.parse(String(output.read()));
}

// test/http/request-log.http.e2e.ts has the lines of the service itself.
describe('logRequest', () => {
  it('leaves the trace of a tracing tool where the client sends none', () => {
    expect(tracedLine({})).toMatchObject({ trace_id: 'of the tool', span_id: 'of the tool' });
  });

  it('has the trace of the client', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(tracedLine({ traceparent })).toMatchObject({ trace_id: '0af7651916cd43dd8448eb211c80319c' });
  });
});
