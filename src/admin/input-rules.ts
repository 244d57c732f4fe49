/// <reference lib="es2024.string" />
import { applyDecorators } from '@nestjs/common';
import { IsString } from 'class-validator';
import { IsIntegerBetween, MaxCodePoints, textValidator } from '../input/index.js';
import {
  isEasyToGuess,
  isPassword,
  isUsername,
  MAX_PASSWORD_CHARACTERS,
  MAX_USERNAME_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
  PASSWORD_RULE,
  USERNAME_RULE,
  VARIETY_RULE,
} from '../settings/credential-rules.js';

export function IsName(): PropertyDecorator {
  const detail = `The value ${USERNAME_RULE}.`;
  return applyDecorators(
    IsString(),
    textValidator('blank', (text) => text.trim() !== '', detail),
    MaxCodePoints(MAX_USERNAME_CHARACTERS, detail),
    textValidator('malformed', isUsername, detail),
  );
}

export function IsPassword(): PropertyDecorator {
  const detail = `The value ${PASSWORD_RULE}.`;
  return applyDecorators(
    IsString(),
    MaxCodePoints(MAX_PASSWORD_CHARACTERS, detail),
    textValidator('lone_surrogate', (text) => text.isWellFormed(), detail),
    textValidator('too_short', isPassword, detail, MIN_PASSWORD_CHARACTERS),
    textValidator('malformed', (text) => !isEasyToGuess(text), `The value ${VARIETY_RULE}.`),
  );
}

/** The current password of the account that sends the request, right or wrong. */
export function IsCurrentPassword(): PropertyDecorator {
  return applyDecorators(IsString(), MaxCodePoints(MAX_PASSWORD_CHARACTERS));
}

/** The id in the path of an account, a token or another thing that is not a post. */
export class IdPathDto {
  @IsIntegerBetween(1, Number.MAX_SAFE_INTEGER)
  id!: number;
}
