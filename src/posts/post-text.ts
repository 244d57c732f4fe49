/// <reference lib="es2024.string" />
import { applyDecorators } from '@nestjs/common';
import { IsStorable, IsString, MaxCodePoints, textValidator } from '../http/request/validation.js';

/** The longest title, in Unicode code points: 200 emoji fit. */
export const TITLE_MAX_CODE_POINTS = 200;

/** Requires a valid title. */
export function IsTitle(): PropertyDecorator {
  return applyDecorators(
    IsString(),
    MaxCodePoints(
      TITLE_MAX_CODE_POINTS,
      `The title must have at most ${TITLE_MAX_CODE_POINTS} characters (Unicode code points).`,
    ),
    textValidator('blank', (text) => text.trim() !== '', 'The title must not be empty or only white space.'),
    IsStorable(),
  );
}

/** Whether both databases store the text unchanged. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
