import { CATALOGUE } from '../problem-details/catalogue.js';
import { Problem } from '../problem-details/problem.js';

/** 409: a request with this key is being worked on. */
export class IdempotencyKeyInUse extends Problem {
  constructor() {
    super(CATALOGUE.idempotencyKeyInUse, {
      detail: 'A request with this Idempotency-Key is still running.',
      headers: { 'Retry-After': '1' },
    });
  }
}

/** 422: the key was used up by a request with another payload. */
export class IdempotencyKeyReused extends Problem {
  constructor() {
    super(CATALOGUE.idempotencyKeyReused, {
      detail: 'This Idempotency-Key was used for another payload; nothing was changed.',
    });
  }
}
