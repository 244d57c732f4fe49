import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { NotAcceptable } from '../../problem-details/problems.js';
import { negotiate } from '../protocol/accept.js';

/** Selects the representation that `Accept` prefers, and refuses a request that accepts none. */
@Injectable()
export class RepresentationGuard implements CanActivate {
  /** @throws NotAcceptable */
  canActivate(execution: ExecutionContext): true {
    const { context, headers } = execution.switchToHttp().getRequest<Request>();
    const { produces } = context.operation!;
    if (produces.length === 0) return true;
    context.representation ??= negotiate(headers.accept, produces);
    if (!context.representation) throw new NotAcceptable(produces.map(({ mediaType }) => mediaType));
    return true;
  }
}
