import { InvalidRequest, ProblemOf, Unauthorized } from '../problem-details/index.js';

/** 401: identical for an unknown name, a wrong password and a disabled account. */
export class LogInRefused extends Unauthorized {
  constructor() {
    super('The user name or the password is wrong.', 'Bearer realm="posts"');
  }
}

/** 429: the wait grows with each failed attempt. */
export class TooManyLogIns extends ProblemOf({
  status: 429,
  isOfAdministration: true,
  slug: 'too-many-log-ins',
  title: 'Too many attempts to log in',
  explanation: 'Too many passwords were tried. Until Retry-After has passed, every password is refused.',
  remedy: 'Wait as long as Retry-After says. An administrator can set a new password.',
}) {
  constructor(seconds: number) {
    super(`There were too many attempts; the next one is possible in ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }
}

/** 409: user names are unique regardless of case. */
export class UsernameTaken extends ProblemOf({
  status: 409,
  isOfAdministration: true,
  slug: 'username-taken',
  title: 'User name taken',
  explanation: 'There is an account with this user name already; case does not matter. Nothing was changed.',
  remedy: 'Choose another name. An account that was disabled can be enabled again.',
}) {
  constructor() {
    const detail = 'There is an account with this user name already.';
    super(detail, { errors: [{ detail, code: 'username_taken', pointer: '/username' }] });
  }
}

/** 409: the change would leave no enabled administrator. */
export class LastAdministrator extends ProblemOf({
  status: 409,
  isOfAdministration: true,
  slug: 'last-administrator',
  explanation: 'The account is the last administrator that is enabled; another one must manage the others.',
  remedy: 'Make another account an administrator, or enable one, and try again.',
}) {
  constructor(field: 'role' | 'is_enabled') {
    const detail = 'This is the last administrator that is enabled.';
    super(detail, { errors: [{ detail, code: 'last_administrator', pointer: `/${field}` }] });
  }
}

/** 400, not 401: the session is valid. */
export class WrongCurrentPassword extends InvalidRequest {
  constructor() {
    const detail = 'This is not your current password.';
    super([{ detail, code: 'wrong_password', pointer: '/current_password' }]);
  }
}
