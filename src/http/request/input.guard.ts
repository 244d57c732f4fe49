import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { InputFault } from '../../problem-details/problem.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { type BodyFields, readInput } from './input-reader.js';
import { RequestBodies } from './request-bodies.js';

/**
 * Reads the body and validates query, path and body together, so that all faults are reported at once. (A pipe sees one
 * argument at a time.) `@Query()`, `@Param()` and `@Body()` then give the instances of their classes.
 */
@Injectable()
export class InputGuard implements CanActivate {
  constructor(private readonly bodies: RequestBodies) {}

  /** @throws Problem 400, 408, 413, 415 or 503 */
  canActivate(execution: ExecutionContext): true | Promise<true> {
    const http = execution.switchToHttp();
    const request = http.getRequest<Request>();
    const body = this.bodies.read(request, http.getResponse<Response>());
    return body instanceof Promise ? body.then((read) => accept(request, read)) : accept(request, body);
  }
}

/** @throws InvalidRequest */
function accept(request: Request, sent: BodyFields | undefined): true {
  const { context } = request;
  const faults: InputFault[] = [];
  const { query, path, body } = readInput(context, sent, faults);
  if (faults.length > 0) throw new InvalidRequest(faults);
  request.query = query as Request['query'];
  request.params = (path ?? {}) as Request['params'];
  request.body = body;
  return true;
}
