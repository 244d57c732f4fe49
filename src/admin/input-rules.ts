/// <reference lib="es2024.string" />
import { applyDecorators } from '@nestjs/common';
import { IsListOf, IsString, MaxCodePoints, textValidator } from '../http/request/validation.js';
import { MAX_POST_ID, POST_ID_NUMBER_RULES } from '../posts/post-id.js';
import {
  isPassword,
  isUsername,
  MAX_PASSWORD_CHARACTERS,
  MAX_USERNAME_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
  PASSWORD_RULE,
  USERNAME_RULE,
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
  );
}

export const MAX_POST_IDS = 1_000;

export const POST_IDS_SCHEMA = {
  type: 'array',
  items: { type: 'integer', minimum: 1, maximum: MAX_POST_ID },
  minItems: 1,
  maxItems: MAX_POST_IDS,
  uniqueItems: true,
} as const;

export function ArePostIds(): PropertyDecorator {
  return IsListOf(
    POST_ID_NUMBER_RULES,
    `The value must be an array of 1 to ${MAX_POST_IDS} different integers from 1 to ${MAX_POST_ID}.`,
    MAX_POST_IDS,
  );
}
