import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InvalidRequest } from '../../problem-details/problems.js';
import { RequestBodies } from './request-bodies.js';

/**
 * Reads the body of a request whose sender may call the handler: a guard, because it runs after RolesGuard and before the
 * pipes. `request.body` is then an object of the body's fields, or the body as a stream.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly bodies: RequestBodies) {}

  /** @throws Problem 400, 408, 413, 415 or 503 */
  async canActivate(execution: ExecutionContext): Promise<true> {
    const http = execution.switchToHttp();
    const request = http.getRequest<Request>();
    try {
      request.body = await this.bodies.read(request, http.getResponse<Response>());
    } catch (error) {
      // The pipe of the body throws it, so that the faults of the query come first.
      if (!(error instanceof InvalidRequest && request.context.operation?.body)) throw error;
      request.body = error;
    }
    return true;
  }
}
