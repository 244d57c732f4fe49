import { type InputFault, PlainProblem, Problem, ProblemOf } from './problem.js';

export class InvalidRequest extends ProblemOf({
  status: 400,
  slug: 'invalid-request',
  explanation:
    'The body, the query or a header field breaks a rule. Nothing was changed. The member errors lists every fault: its detail and its code, and its place as a JSON Pointer into the body (pointer), a query parameter (parameter) or a header field (header).',
  remedy: 'Correct every fault in errors and send the request again.',
}) {
  constructor(errors: readonly InputFault[]) {
    const faults = errors.length === 1 ? 'one fault' : `${errors.length} faults`;
    super(`The request has ${faults}; nothing was changed.`, { errors });
  }
}

export class BadRequest extends PlainProblem(400, 'The request is neither HTTP/1.1 nor HTTP/1.0.') {}

export class Unauthorized extends PlainProblem(
  401,
  'A bearer token is needed and missing, or the token is unknown, expired or not sufficient.',
) {
  constructor(detail: string, challenge: string) {
    super(detail, { headers: { 'WWW-Authenticate': challenge } });
  }
}

export class Forbidden extends PlainProblem(403, 'The request is refused.') {}

export class CrossOriginWrite extends ProblemOf({
  status: 403,
  slug: 'cross-origin-write',
  title: 'Cross-origin write refused',
  explanation: 'A page of another origin may not write, unless CORS_ORIGINS names its origin.',
  remedy:
    'The operator can allow an origin with CORS_ORIGINS, and names the address that clients use with PUBLIC_URL or TRUST_PROXY.',
}) {}

export class RoleMissing extends ProblemOf({
  status: 403,
  slug: 'role-missing',
  explanation:
    'The session or the API token of the request is valid, but its role is too low: a viewer reads and exports, an editor also writes, deletes, restores and imports, an administrator also purges and manages accounts and tokens. Nothing was changed.',
  remedy: 'Ask an administrator for the role that detail names.',
}) {
  constructor(needed: string, role: string) {
    super(`This request needs the role ${needed}; your role is ${role}.`);
  }
}

export class HostNotAllowed extends ProblemOf({
  status: 403,
  slug: 'host-not-allowed',
  explanation:
    'The service does not answer to the host name of the request. A web page may have pointed its own host name at this machine. Nothing was changed.',
  remedy:
    'Use the address that the operator gave you. The operator names the hosts of the service in ALLOWED_HOSTS; by default they are the host of PUBLIC_URL and the names of loopback.',
}) {}

export class NotFound extends PlainProblem(404, 'The resource does not exist, or no longer exists.') {
  static override readonly sentence: string = 'There is nothing at this path.';
}

export class MethodNotAllowed extends PlainProblem(405, 'The path does not support the method.') {
  /** @param allow the value of `Allow` */
  constructor(method: string, allow: string) {
    super(`${method} is not allowed here; ${allow} are.`, { headers: { Allow: allow } });
  }
}

export class NotAcceptable extends PlainProblem(
  406,
  '`Accept` allows none of the available media types; `errors` lists them.',
) {
  constructor(available: readonly string[]) {
    const detail = `Available here: ${available.join(', ')}`;
    const errors: InputFault[] = [{ detail, code: 'not_acceptable', header: 'Accept' }];
    super(`${detail}.`, { errors, headers: { Vary: 'Accept, Accept-Encoding' } });
  }
}

export class RequestTimedOut extends PlainProblem(
  408,
  'The body arrived too slowly, and the connection is closed.',
) {
  static override readonly headers = { Connection: 'close' };
}

export class Conflict extends PlainProblem(409, 'The stored state does not allow the request.') {}

export class IdempotencyKeyInUse extends ProblemOf({
  status: 409,
  slug: 'idempotency-key-in-use',
  explanation: 'A request with the same Idempotency-Key is still running, and its outcome is not yet known.',
  remedy:
    'Wait as long as Retry-After says and send the same request again; it then gets the response to the first one.',
}) {
  static override readonly headers = { 'Retry-After': '1' };
}

export class DeletionsExpired extends ProblemOf({
  status: 410,
  slug: 'deletions-expired',
  explanation:
    'deleted_after is earlier than the time from which deletions are known: they are kept for HISTORY_DAYS.',
  remedy: 'Make a new copy: read all posts, and ask for deletions since the Last-Modified of that response.',
}) {}

export class PreconditionFailed extends ProblemOf({
  status: 412,
  slug: 'precondition-failed',
  explanation:
    'If-Match, If-None-Match or If-Unmodified-Since does not hold: usually another client changed the post since it was read. Nothing was changed.',
  remedy: 'Read the post again, apply your change to the current version, and send it with the new ETag.',
}) {}

export class BodyTooLarge extends ProblemOf({
  status: 413,
  slug: 'body-too-large',
  explanation: 'The body, after inflation, is larger than the limit that detail names. Nothing was changed.',
  remedy: 'Send less. The operator can raise the limit with MAX_BODY_BYTES.',
}) {
  /** @param maxBodyBytes the limit, in bytes after inflation */
  constructor(maxBodyBytes: number) {
    const detail = `The body is larger than the limit of ${maxBodyBytes} bytes.`;
    super(detail, { errors: [{ detail, code: 'too_large', limit: maxBodyBytes, pointer: '' }] });
  }
}

export class InflatesTooMuch extends Problem {
  static override readonly kind = BodyTooLarge.kind;

  /** @param maxInflation the limit, in inflated bytes for each byte sent */
  constructor(maxInflation: number) {
    super(
      `The body inflates to more than ${maxInflation} times what was sent. Send it with less compression.`,
    );
  }
}

export class UnsupportedMediaType extends PlainProblem(
  415,
  'The Content-Type, its charset or the Content-Encoding is not supported.',
) {
  /** @param understood the supported media types, for `Accept-Post` (W3C Linked Data Platform §7.1) */
  constructor(detail: string, understood: readonly string[]) {
    super(detail, { headers: { 'Accept-Post': understood.join(', ') } });
  }
}

export class IdempotencyKeyReused extends ProblemOf({
  status: 422,
  slug: 'idempotency-key-reused',
  explanation:
    'Within the last 24 hours the same Idempotency-Key was used for another payload: other bytes, or another media type. Nothing was changed.',
  remedy: 'Use a new key for a new payload, and an old key only to send the very same payload again.',
}) {}

export class TooManyRequests extends PlainProblem(
  429,
  'The client has sent more requests than RATE_LIMIT allows.',
) {
  constructor(perMinute: number, seconds: number) {
    super(`A client may send ${perMinute} requests a minute; try again in ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }
}

export class InternalError extends PlainProblem(
  500,
  'The service failed unexpectedly. The log has the details under the request id.',
) {
  constructor(cause: unknown) {
    super('The service failed unexpectedly. The log has the details under this request id.', { cause });
  }
}

export class NotImplemented extends PlainProblem(
  501,
  'Transfer-Encoding names another transfer coding than `chunked`.',
) {}

/** The service cannot do this now, but may be able to in a moment. */
export class ServiceUnavailable extends PlainProblem(
  503,
  'The database is busy, full or unreachable, too many bodies are in flight, or the service is stopping. Nothing was changed.',
) {
  static override readonly headers: Readonly<Record<string, string>> = { 'Retry-After': '1' };
}

export class ServiceStopping extends ServiceUnavailable {
  static override readonly sentence = 'The service is stopping; nothing was changed.';
}

export class TooManyBodies extends ServiceUnavailable {
  static override readonly sentence = 'Too many large bodies are in flight; nothing was changed.';
}

export class TooManyImports extends ServiceUnavailable {
  static override readonly sentence = 'Too many imports are running; nothing was changed.';
  static override readonly headers = { 'Retry-After': '5' };
}

export class TooManyResponses extends ServiceUnavailable {
  static override readonly sentence = 'Too many slow or large responses are under way.';
}
