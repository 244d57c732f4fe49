import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { NotFound, RoleMissing } from '../../problem-details/index.js';
import { includesRole, type Role } from '../../users/user.js';
import { Declaration } from '../routes/operation.js';
import { WRITES } from '../routes/route-table.js';

/**
 * The lowest role that a known user needs for an operation; `anyone` allows every request. Required on every handler
 * that writes. Without it a handler that reads is open.
 */
export const Roles = Reflector.createDecorator<Role | 'anyone'>();

/**
 * Compares the role of the user with the `@Roles()` of the handler. Only tokens that this service has issued have a
 * role; whether a request needs a token is decided before, by BearerTokens.
 */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws RoleMissing, or NotFound when Express, for which case is the same, found a handler that the RouteTable did not */
  canActivate(context: ExecutionContext): true {
    const declared = this.reflector.getAllAndOverride(Roles, [context.getHandler(), context.getClass()]);
    const { user, method, context: known } = context.switchToHttp().getRequest<Request>();
    const declaration = this.reflector.get(Declaration, context.getHandler());
    if (declaration && declaration !== known.operation?.declaration) throw new NotFound();
    // A handler without an @Operation() writes like the handlers of posts, unless it says otherwise.
    const needed = declared ?? (known.operation || !WRITES.has(method) ? undefined : 'editor');
    if (!user.role || !needed || needed === 'anyone' || includesRole(user.role, needed)) return true;
    throw new RoleMissing(needed, user.role);
  }
}
