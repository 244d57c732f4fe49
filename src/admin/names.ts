/// <reference lib="es2024.string" />
import { applyDecorators } from '@nestjs/common';
import { IsString, MaxCodePoints, textValidator } from '../http/request/validation.js';
import {
  isPassword,
  isUsername,
  MAX_PASSWORD_CHARACTERS,
  MAX_USERNAME_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
  PASSWORD_RULE,
  USERNAME_RULE,
} from '../settings/credential-rules.js';

/** Validates the name of an account or a token. */
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
  );
}
