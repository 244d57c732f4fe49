import { CATALOGUE } from '../problem-details/catalogue.js';
import { Problem } from '../problem-details/problem.js';
import { InvalidRequest, NotFound, Unauthorized } from '../problem-details/problems.js';

/** 401: the same for an unknown name, a wrong password and an account that is disabled. */
export class LogInRefused extends Unauthorized {
  constructor() {
    super('The user name or the password is wrong.', 'Bearer realm="posts"');
  }
}

/** 429: whoever guesses waits longer and longer. */
export class TooManyLogIns extends Problem {
  constructor(retryAfterSeconds: number) {
    super(CATALOGUE.tooManyLogIns, {
      detail: `There were too many attempts; the next one is possible in ${retryAfterSeconds} s.`,
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  }
}

/** 404: there is no account with this id. */
export class AccountNotFound extends NotFound {
  constructor(id: number) {
    super(`There is no account with the id ${id}.`);
  }
}

/** 409: names are told apart without regard to case. */
export class UsernameTaken extends Problem {
  constructor() {
    super(CATALOGUE.usernameTaken, {
      detail: 'There is an account with this user name already.',
      errors: [
        {
          detail: 'There is an account with this user name already.',
          code: 'username_taken',
          pointer: '/username',
        },
      ],
    });
  }
}

/** 409: nobody could enter the administration site any more. */
export class LastAccount extends Problem {
  constructor() {
    super(CATALOGUE.lastAccount, {
      detail: 'This is the last account that is enabled.',
      errors: [
        { detail: 'This is the last account that is enabled.', code: 'last_account', pointer: '/is_enabled' },
      ],
    });
  }
}

/** 400: who changes their own password has to know it. */
export class CurrentPasswordMissing extends InvalidRequest {
  constructor() {
    super([
      {
        detail: 'The field is required to change your own password.',
        code: 'required',
        pointer: '/current_password',
      },
    ]);
  }
}

/** 400: the password that somebody has now is another one. */
export class WrongCurrentPassword extends InvalidRequest {
  constructor() {
    super([
      { detail: 'This is not your current password.', code: 'wrong_password', pointer: '/current_password' },
    ]);
  }
}

/** 404: there is no API token with this id; it was revoked, or never made. */
export class ApiTokenNotFound extends NotFound {
  constructor(id: number) {
    super(`There is no API token with the id ${id}.`);
  }
}
