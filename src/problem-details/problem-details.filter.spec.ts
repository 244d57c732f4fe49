import { jest } from '@jest/globals';
import type { Request, Response } from 'express';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import pino from 'pino';
import { ClientShares } from '../http/request/client-shares.js';
import { type RouteOperation, RouteTable } from '../http/request/route-table.js';
import { ANONYMOUS_USER } from '../http/request/author.js';
import { RequestContext } from '../http/request/request-context.js';
import { ResponseWriter } from '../http/response/response-writer.js';
import { ProblemDetailsFilter } from './problem-details.filter.js';
import { InvalidRequest, NotFound, ServiceUnavailable } from './problems.js';

const ROUTES = new RouteTable([
  { name: 'problem-detail', path: '/problems/{slug}/', operations: { GET: {} as RouteOperation } },
]);
const WRITER = new ResponseWriter({ maxBodyBytes: 1_048_576, publicUrl: undefined });

/** A GET request and a response without a connection. */
function exchange(): { request: Request; response: Response } {
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/' }) as Request;
  request.context = Object.assign(new RequestContext(request), { routes: ROUTES });
  request.user = ANONYMOUS_USER;
  return { request, response: new ServerResponse(request) as unknown as Response };
}

describe('ProblemDetailsFilter', () => {
  it('responds with a small problem when there is no memory for a large one', async () => {
    const { request, response } = exchange();
    const withoutRoom = { held: 0, isEnding: false, resize: () => false, release: () => undefined };
    jest.spyOn(ClientShares.prototype, 'open').mockImplementation((holder) => ({ ...withoutRoom, holder }));
    const filter = new ProblemDetailsFilter(pino({ enabled: false }), WRITER);
    const large = new InvalidRequest([{ detail: 'x'.repeat(70_000), code: 'malformed', pointer: '' }]);
    filter.respond(large, request, response);
    await setImmediate();
    expect(response.statusCode).toBe(503);
  });

  it('logs one line a second for the refusals of a kind, without a stack', () => {
    const lines: unknown[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const filter = new ProblemDetailsFilter(pino({ base: null }, destination), WRITER);
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const cause = new Error('The database is full', { cause: new Error('SQLITE_FULL') });
    for (now of [0, 1, 999, 1_000]) {
      const { request, response } = exchange();
      request.context = Object.assign(Object.create(request.context), { id: `r${now}` });
      filter.respond(new ServiceUnavailable('Full.', { cause }), request, response);
    }
    clock.mockRestore();
    const line = {
      level: 40,
      time: expect.any(Number),
      cause: 'The database is full: SQLITE_FULL',
      msg: 'Full.',
    };
    expect(lines).toEqual([
      { ...line, request_id: 'r0', refused: 1 },
      { ...line, request_id: 'r1000', refused: 4 },
    ]);
  });

  it('closes the connection when a problem cannot be sent', async () => {
    const { request, response } = exchange();
    const records: string[] = [];
    const filter = new ProblemDetailsFilter(pino({}, { write: (line) => void records.push(line) }), WRITER);
    response.writeHead = () => {
      throw new Error('no header today');
    };
    filter.respond(new NotFound(), request, response);
    await setImmediate();
    expect(response.destroyed).toBe(true);
    expect(records.join('')).toContain('no header today');
  });
});
