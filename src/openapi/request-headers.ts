import { COMPONENT_NAME, type Parameter } from './document-types.js';

/** Header fields that a client can send; `Accept`, `Content-Type` and `Authorization` OpenAPI documents by itself. */
export const REQUEST_ID: Parameter = {
  name: 'X-Request-Id',
  in: 'header',
  description: 'Names the request in the log and in the answer; a well-formed one is kept.',
  schema: { type: 'string', maxLength: 128, examples: ['import-2026-11-20'] },
};

export const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The ETag of what the client has already: if that still holds, the answer is 304 without a body.',
  schema: { type: 'string', examples: ['"7-1"'] },
};

export const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The ETag of what the client means to change: if that is not what is stored, the answer is 412.',
  schema: { type: 'string', examples: ['"7-1"'] },
};

export const IF_MATCH_ON_READ: Parameter = {
  [COMPONENT_NAME]: 'If-Match-on-read',
  name: 'If-Match',
  in: 'header',
  description:
    'The ETag that the answer must have, in whatever coding: if it has another, the answer is 412.',
  schema: { type: 'string', examples: ['"7-1"'] },
};

export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A key of the client’s own choice, such as a UUID. Of all requests with the same key and the same body one is carried out, and the others are given its answer, for 24 hours.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 257,
    examples: ['8e03978e-40d5-43dd-bc93-6894a57f9324'],
  },
};

export const PREFER_COUNT: Parameter = {
  [COMPONENT_NAME]: 'Prefer-count',
  name: 'Prefer',
  in: 'header',
  description: '`count=exact` asks for X-Total-Count; without it nothing is counted (RFC 7240).',
  schema: { type: 'string', examples: ['count=exact'] },
};

export const PREFER_RETURN: Parameter = {
  [COMPONENT_NAME]: 'Prefer-return',
  name: 'Prefer',
  in: 'header',
  description:
    '`return=minimal` leaves the body of a success out (RFC 7240); `Preference-Applied` confirms it.',
  schema: { type: 'string', examples: ['return=minimal'] },
};
