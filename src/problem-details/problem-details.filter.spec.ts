import { jest } from '@jest/globals';
import type { Request, Response } from 'express';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import pino from 'pino';
import { ClientShares } from '../http/request/client-shares.js';
import { type Route, type RouteOperation, RouteTable } from '../http/request/route-table.js';
import { ANONYMOUS_USER } from '../http/request/author.js';
import { RequestContext } from '../http/request/request-context.js';
import { ResponseWriter } from '../http/response/response-writer.js';
import { ProblemDetailsFilter } from './problem-details.filter.js';
import { InvalidRequest, NotFound } from './problems.js';

const PROBLEM_DETAIL: Route = {
  name: 'problem-detail',
  path: '/problems/{slug}/',
  operations: { GET: {} as RouteOperation },
};

const WRITER = new ResponseWriter({ maxBodyBytes: 1_048_576, publicUrl: undefined });

/** A GET request and a response without a connection. */
function exchange(): { request: Request; response: Response } {
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/' }) as Request;
  request.context = new RequestContext(request);
  request.user = ANONYMOUS_USER;
  request.context.routes = new RouteTable([PROBLEM_DETAIL]);
  return { request, response: new ServerResponse(request) as unknown as Response };
}

describe('ProblemDetailsFilter', () => {
  it('responds with a small problem when there is no memory for a large one', async () => {
    const { request, response } = exchange();
    jest.spyOn(ClientShares.prototype, 'resize').mockReturnValue(false);
    const filter = new ProblemDetailsFilter(pino({ enabled: false }), WRITER);
    filter.apiResponse(
      new InvalidRequest([{ detail: 'x'.repeat(70_000), code: 'malformed', pointer: '' }]),
      request,
      response,
    );
    await setImmediate();
    expect(response.statusCode).toBe(503);
  });

  it('closes the connection when a problem cannot be sent', async () => {
    const { request, response } = exchange();
    const records: string[] = [];
    const filter = new ProblemDetailsFilter(pino({}, { write: (line) => void records.push(line) }), WRITER);
    response.writeHead = () => {
      throw new Error('no header today');
    };
    filter.apiResponse(new NotFound(), request, response);
    await setImmediate();
    expect(response.destroyed).toBe(true);
    expect(records.join('')).toContain('no header today');
  });
});
