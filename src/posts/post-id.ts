import { validator } from '../http/request/validation.js';

/** The largest id: the largest integer that every JSON reader holds exactly. */
export const MAX_POST_ID = Number.MAX_SAFE_INTEGER;

/** In words, for errors. */
export const POST_ID_RULE = `must be an integer from 1 to ${MAX_POST_ID}, without leading zeros`;

/** Tells whether the text is the canonical decimal of an id: `7`, but not `07`, `+7` or `7.0`. */
export function isPostId(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text) && Number(text) <= MAX_POST_ID;
}

/** Tells whether the value is the number of an id. */
export function isPostIdNumber(value: unknown): boolean {
  return typeof value === 'number' && isPostId(String(value));
}

function isPostIdText(value: unknown): boolean {
  return typeof value === 'string' && isPostId(value);
}

/** The canonical decimal of an id. @param what the fault is about */
export function IsPostId(what: 'id' | 'value'): PropertyDecorator {
  return validator('isPostId', isPostIdText, `The ${what} ${POST_ID_RULE}.`);
}

/** The number of an id. @param what the fault is about */
export function IsPostIdNumber(what: 'id' | 'value'): PropertyDecorator {
  return validator('isPostId', isPostIdNumber, `The ${what} ${POST_ID_RULE}.`);
}
