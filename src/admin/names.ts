import { applyDecorators } from '@nestjs/common';
import { IsString, textValidator } from '../http/request/validation.js';
import { isPassword, isUsername, PASSWORD_RULE, USERNAME_RULE } from '../settings/credential-rules.js';

/** The name of an account or a token. */
export function IsName(): PropertyDecorator {
  return applyDecorators(IsString(), textValidator('isName', isUsername, `The value ${USERNAME_RULE}.`));
}

export function IsPassword(): PropertyDecorator {
  return applyDecorators(IsString(), textValidator('isPassword', isPassword, `The value ${PASSWORD_RULE}.`));
}
