import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { InputFault } from '../../problem-details/problem.js';
import { InvalidRequest, NotAcceptable } from '../../problem-details/problems.js';
import { readBody, readQuery } from './input-reader.js';
import { RequestBodies } from './request-bodies.js';

/**
 * Refuses a request that accepts no representation of the operation. Then reads the body and validates query, path and
 * body together, so that all faults are reported at once. (A pipe sees one argument at a time, and a global interceptor
 * adds some 40 µs to each request.) `@Query()`, `@Param()` and `@Body()` then give the instances of their classes.
 */
@Injectable()
export class InputGuard implements CanActivate {
  constructor(private readonly bodies: RequestBodies) {}

  /** @throws Problem 400, 406, 408, 413, 415 or 503 */
  async canActivate(execution: ExecutionContext): Promise<true> {
    const http = execution.switchToHttp();
    const request = http.getRequest<Request>();
    const { operation, representation } = request.context;
    const { produces, query: queryClass, body: bodyClass, declaration, vary } = operation!;
    // HttpPipeline has selected the preferred representation.
    if (!representation && produces.length > 0) {
      throw new NotAcceptable(
        produces.map(({ mediaType }) => mediaType),
        vary,
      );
    }
    // Undefined when the handler checks the body itself, line by line.
    const sent = await this.bodies.read(request, http.getResponse<Response>());
    const { query: rawQuery, pathInput: path } = request.context;
    const faults: InputFault[] = [];
    const query = declaration.ignoresQuery ? undefined : readQuery(rawQuery, queryClass, faults);
    const body = bodyClass && sent && readBody(bodyClass, sent, faults);
    if (declaration.check) faults.push(...declaration.check({ query, path, body } as never, faults));
    if (faults.length > 0) throw new InvalidRequest(faults);
    request.query = query as Request['query'];
    request.params = (path ?? {}) as Request['params'];
    request.body = body;
    return true;
  }
}
