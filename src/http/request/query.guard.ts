import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidRequest } from '../../problem-details/problems.js';
import { type QueryTexts, readQuery } from './query-string.js';

/** Refuses a query where the operation takes none; no pipe sees it then. */
@Injectable()
export class QueryGuard implements CanActivate {
  /** @throws InvalidRequest */
  canActivate(execution: ExecutionContext): true {
    const request = execution.switchToHttp().getRequest<Request>();
    const { operation, query } = request.context;
    if (query === '' || !operation || operation.query || operation.declaration.ignoresQuery) return true;
    const { faults } = readQuery(request.query as QueryTexts, undefined);
    if (faults.length > 0) throw new InvalidRequest(faults);
    return true;
  }
}
