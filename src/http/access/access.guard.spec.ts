import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { IssuedTokens } from '../../users/user.js';
import { AccessGuard } from './access.guard.js';
import { BearerTokens } from './bearer-tokens.js';

class SomeController {
  read(): void {}
}

/** A call of a handler without an `@Access()`. */
function callOf(type: string): ExecutionContext {
  const request = { headers: {}, user: {} };
  const call = {
    getType: () => type,
    getHandler: () => Reflect.get(SomeController.prototype, 'read') as unknown,
    getClass: () => SomeController,
    switchToHttp: () => ({ getRequest: () => request }),
  };
  return call as unknown as ExecutionContext;
}

const tokens = new BearerTokens({ apiTokens: [] }, {} as IssuedTokens);
const guard = new AccessGuard(new Reflector(), tokens);

// The service itself proves the rest: roles.http.e2e.ts, enhancers.http.e2e.ts.
describe('AccessGuard', () => {
  it('leaves what is not HTTP to other guards', () => {
    expect(guard.canActivate(callOf('ws'))).toBe(true);
  });

  it('calls no handler of HTTP that does not say who may call it', () => {
    expect(() => guard.canActivate(callOf('http'))).toThrow('SomeController.read has no @Access().');
  });
});
