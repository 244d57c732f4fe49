import type { Request, Response } from 'express';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import pino from 'pino';
import { type RouteOperation, RouteTable } from '../request/route-table.js';
import { ANONYMOUS_USER } from '../request/author.js';
import { RequestContext } from '../request/request-context.js';
import { ResponseWriter } from '../response/response-writer.js';
import { ProblemDetailsFilter } from './problem-details.filter.js';
import type { Problem } from '../../problem-details/problem.js';
import { InternalError, NotFound, ServiceUnavailable } from '../../problem-details/problems.js';

const ROUTES = new RouteTable([
  { name: 'problem-list', path: '/problems/', operations: { GET: {} as RouteOperation } },
]);
const WRITER = new ResponseWriter({ maxBodyBytes: 1_048_576, publicUrl: undefined });

/** A GET request and a response without a connection. */
function exchange(): { request: Request; response: Response } {
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/' }) as Request;
  request.context = new RequestContext(request, ROUTES, { name: undefined, baseUrl: '' });
  request.user = ANONYMOUS_USER;
  return { request, response: new ServerResponse(request) as unknown as Response };
}

describe('ProblemDetailsFilter', () => {
  it.each<[string, Problem, object[]]>([
    [
      'a refusal as a warning without a stack',
      new ServiceUnavailable('Full.', {
        cause: new Error('The database is full', { cause: new Error('FULL') }),
      }),
      [{ level: 40, cause: 'The database is full: FULL', msg: 'Full.' }],
    ],
    ['a fault of the client not at all', new NotFound(), []],
    [
      'a fault of the service with its stack',
      new InternalError(new Error('broken')),
      [{ level: 50, err: expect.objectContaining({ stack: expect.any(String) }) }],
    ],
  ])('logs %s', (_, problem, expected) => {
    const lines: unknown[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const { request, response } = exchange();
    new ProblemDetailsFilter(pino({ base: null }, destination), WRITER).respond(problem, request, response);
    expect(lines).toEqual(
      expected.map((line) => expect.objectContaining({ ...line, request_id: request.context.id })),
    );
  });

  it('closes the connection when a problem cannot be sent', async () => {
    const { request, response } = exchange();
    request.complete = true;
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
