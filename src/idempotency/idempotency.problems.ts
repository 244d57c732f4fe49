import { ProblemOf } from '../problem-details/index.js';

export class IdempotencyKeyInUse extends ProblemOf({
  status: 409,
  slug: 'idempotency-key-in-use',
  explanation: 'A request with the same Idempotency-Key is still running; its outcome is not yet known.',
  remedy: 'Send the same request again after Retry-After; it then gets the response to the first one.',
}) {
  static override readonly headers = { 'Retry-After': '1' };
}

export class IdempotencyKeyReused extends ProblemOf({
  status: 422,
  slug: 'idempotency-key-reused',
  explanation: 'Within 24 hours the same Idempotency-Key was used for other bytes or another media type.',
  remedy: 'Use a new key for a new payload, and an old key only to send the very same payload again.',
}) {}
