import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { NotAcceptable } from '../../problem-details/problems.js';

/** Refuses a request that accepts no representation of the operation. HttpPipeline has selected the preferred one. */
@Injectable()
export class RepresentationGuard implements CanActivate {
  /** @throws NotAcceptable */
  canActivate(execution: ExecutionContext): true {
    const { operation, representation } = execution.switchToHttp().getRequest<Request>().context;
    const { produces } = operation!;
    if (representation || produces.length === 0) return true;
    throw new NotAcceptable(produces.map(({ mediaType }) => mediaType));
  }
}
