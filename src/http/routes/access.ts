import { Reflector } from '@nestjs/core';
import type { Role } from '../../users/user.js';

/** Who may call a handler. */
export type AccessRule =
  /** Every client, with or without a token. The reason is for those who review the rule. */
  | { readonly anyone: string }
  /**
   * A user whose role includes this one. Tokens of API_TOKENS count as editors. `if-configured`: without API_TOKENS, every
   * client without a token may call the handler, too.
   */
  | { readonly role: Exclude<Role, 'administrator'>; readonly token: 'if-configured' }
  | { readonly role: Role; readonly token: 'always' }
  /** A user who is logged in to the administration site, and whose role includes this one. */
  | { readonly session: Role };

/**
 * Says who may call a handler, or each handler of a controller that has no rule of its own. Every handler needs one: without
 * it, the service does not start. {@link AccessGuard} decides by it.
 */
export const Access = Reflector.createDecorator<AccessRule>();

/** Who may write, where a path does not have the method: the contract refuses a missing token before the method. */
export const WRITERS: AccessRule = { role: 'editor', token: 'if-configured' };

/** The role that a rule requires. */
export function requiredRole(rule: AccessRule): Role | undefined {
  if ('anyone' in rule) return undefined;
  return 'session' in rule ? rule.session : rule.role;
}
