import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { includesRole } from '../../users/user.js';
import { RoleMissing } from '../../problem-details/index.js';
import { Access, requiredRole } from '../routes/access.js';
import { BearerTokens } from './bearer-tokens.js';

/**
 * Decides who may call the handler that runs, by its `@Access()`. RequestMiddleware has authenticated the user, and may
 * have refused the request earlier, by the rule of its route; only this guard lets it in.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: BearerTokens,
  ) {}

  /** @throws Unauthorized @throws RoleMissing @throws Error for a handler without a rule, which would have stopped the start */
  canActivate(execution: ExecutionContext): true {
    // A WebSocket or a microservice has no HTTP request; its own guards decide.
    if (execution.getType() !== 'http') return true;
    const rule = this.reflector.getAllAndOverride(Access, [execution.getHandler(), execution.getClass()]);
    if (!rule)
      throw new Error(`${execution.getClass().name}.${execution.getHandler().name} has no @Access().`);
    const request = execution.switchToHttp().getRequest<Request>();
    this.tokens.assertHolds(request, rule);
    const needed = requiredRole(rule);
    // A token of API_TOKENS, or no token where the rule needs none.
    const { role = 'editor' } = request.user;
    if (needed !== undefined && !includesRole(role, needed)) throw new RoleMissing(needed, role);
    return true;
  }
}
