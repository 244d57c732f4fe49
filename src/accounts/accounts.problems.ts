import { type InputFault, ProblemOf } from '../problem-details/problem.js';
import { InvalidRequest, NotFound, Unauthorized } from '../problem-details/problems.js';
import { VARIETY_RULE } from '../settings/credential-rules.js';

/** 401: identical for an unknown name, a wrong password and a disabled account. */
export class LogInRefused extends Unauthorized {
  constructor() {
    super('The user name or the password is wrong.', 'Bearer realm="posts"');
  }
}

/** 429: the wait grows with each failed attempt. */
export class TooManyLogIns extends ProblemOf({
  status: 429,
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

/** 404: no account has this id. */
export class AccountNotFound extends NotFound {
  constructor(id: number) {
    super(`There is no account with the id ${id}.`);
  }
}

/** 409: user names are unique regardless of case. */
export class UsernameTaken extends ProblemOf({
  status: 409,
  slug: 'username-taken',
  title: 'User name taken',
  explanation: 'There is an account with this user name already; case does not matter. Nothing was changed.',
  remedy: 'Choose another name. An account that was disabled can be enabled again.',
}) {
  static readonly FAULT: InputFault = {
    detail: 'There is an account with this user name already.',
    code: 'username_taken',
    pointer: '/username',
  };

  constructor() {
    super(UsernameTaken.FAULT.detail, { errors: [UsernameTaken.FAULT] });
  }
}

/** 409: the change would leave no enabled administrator. */
export class LastAdministrator extends ProblemOf({
  status: 409,
  slug: 'last-administrator',
  explanation: 'The account is the last administrator that is enabled; another one must manage the others.',
  remedy: 'Make another account an administrator, or enable one, and try again.',
}) {
  constructor(field: 'role' | 'is_enabled') {
    const detail = 'This is the last administrator that is enabled.';
    super(detail, { errors: [{ detail, code: 'last_administrator', pointer: `/${field}` }] });
  }
}

/**
 * 400: the request sets a password or makes an administrator without the current password of its account. A stolen
 * session alone must not be enough to keep access.
 */
export class CurrentPasswordMissing extends InvalidRequest {
  constructor() {
    const detail = 'Your own current password is required to give a password or to make an administrator.';
    super([{ detail, code: 'required', pointer: '/current_password' }]);
  }
}

/** 400, not 401: the session is valid. */
export class WrongCurrentPassword extends InvalidRequest {
  static readonly FAULT: InputFault = {
    detail: 'This is not your current password.',
    code: 'wrong_password',
    pointer: '/current_password',
  };

  constructor() {
    super([WrongCurrentPassword.FAULT]);
  }
}

/** 400: the password has too few different characters beside the user name. */
export class GuessablePassword extends InvalidRequest {
  constructor() {
    super([{ detail: `The value ${VARIETY_RULE}.`, code: 'malformed', pointer: '/password' }]);
  }
}

/** 404: no API token has this id; it was revoked or never created. */
export class ApiTokenNotFound extends NotFound {
  constructor(id: number) {
    super(`There is no API token with the id ${id}.`);
  }
}
