import { type InputFault, PlainProblem, Problem, ProblemOf } from './problem.js';

export class InvalidRequest extends ProblemOf({
  status: 400,
  slug: 'invalid-request',
  explanation: 'The body, the query or a header field breaks a rule. The member errors lists every fault.',
  remedy: 'Correct every fault in errors and send the request again.',
}) {
  constructor(errors: readonly InputFault[]) {
    const faults = errors.length === 1 ? 'one fault' : `${errors.length} faults`;
    super(`The request has ${faults}; nothing was changed.`, { errors });
  }
}

export class BadRequest extends PlainProblem(400, 'The request is neither HTTP/1.1 nor HTTP/1.0.') {}

export class Unauthorized extends PlainProblem(401, 'The bearer token is missing, unknown or expired.') {
  constructor(detail: string, challenge: string) {
    super(detail, { headers: { 'WWW-Authenticate': challenge } });
  }
}

/** The token was never issued, has expired, or was revoked. The response does not tell which. */
export class TokenUnknown extends Unauthorized {
  constructor() {
    super('The token is not known.', 'Bearer realm="posts", error="invalid_token"');
  }
}

// Nest's ForbiddenException; the service itself refuses with kinds of their own.
PlainProblem(403, 'The request is refused.');

export class CrossOriginWrite extends ProblemOf({
  status: 403,
  slug: 'cross-origin-write',
  title: 'Cross-origin write refused',
  explanation: 'A page of another origin may not write, unless CORS_ORIGINS names its origin.',
  remedy: 'The operator can allow an origin with CORS_ORIGINS, or correct PUBLIC_URL or TRUST_PROXY.',
}) {}

export class RoleMissing extends ProblemOf({
  status: 403,
  slug: 'role-missing',
  explanation: 'The session or the API token is valid, but its role is too low. Nothing was changed.',
  remedy: 'Ask an administrator for the role that detail names.',
}) {
  constructor(needed: string, role: string) {
    super(`This request needs the role ${needed}; your role is ${role}.`);
  }
}

export class HostNotAllowed extends ProblemOf({
  status: 403,
  slug: 'host-not-allowed',
  explanation: 'The service does not answer to the host of the request; ALLOWED_HOSTS names its hosts.',
  remedy: 'Use the address that the operator gave you. By default, it is PUBLIC_URL or a loopback name.',
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

interface AvailableType {
  readonly mediaType: string;
  /** A media type that clients ask for, of which this one is the equivalent. */
  readonly inPlaceOf?: string;
}

export class NotAcceptable extends PlainProblem(406, '`Accept` allows no available media type.') {
  /** @param vary the value of `Vary` */
  constructor(available: readonly AvailableType[], { accept = '', vary }: { accept?: string; vary: string }) {
    const types = available.map(({ mediaType }) => mediaType).join(', ');
    const other = available.find(({ inPlaceOf }) => inPlaceOf !== undefined && accept.includes(inPlaceOf));
    const advice = other ? ` In place of ${other.inPlaceOf}, ask for ${other.mediaType}.` : '';
    const text = `Available here: ${types}.${advice}`;
    const errors: InputFault[] = [{ detail: text, code: 'not_acceptable', header: 'Accept' }];
    super(text, { errors, headers: { Vary: vary } });
  }
}

export class RequestTimedOut extends PlainProblem(408, 'No byte of the body arrived for 30 s.') {
  static override readonly headers = { Connection: 'close' };
}

export class Conflict extends PlainProblem(409, 'The stored state does not allow the request.') {}

export class PreconditionFailed extends ProblemOf({
  status: 412,
  slug: 'precondition-failed',
  explanation: 'A condition such as If-Match does not hold: usually another client has changed the post.',
  remedy: 'Read the post again, apply your change to the current version, and send it with the new ETag.',
}) {}

export class BodyTooLarge extends ProblemOf({
  status: 413,
  slug: 'body-too-large',
  explanation: 'The body, after inflation, is larger than the limit that detail names. Nothing was changed.',
  remedy: 'Send less. The operator can raise the limit with MAX_BODY_BYTES.',
}) {
  /**
   * @param maxBytes the limit, in bytes after inflation
   * @param line of an import, which is too large instead of the whole body
   */
  constructor(maxBytes: number, line?: number) {
    const place = line === undefined ? 'The body' : `Line ${line}`;
    const detail = `${place} is larger than the limit of ${maxBytes} bytes.`;
    const fault = { detail, code: 'too_large', limit: maxBytes, pointer: '', ...(line && { line }) } as const;
    super(detail, { errors: [fault] });
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

/** The path and the query are longer than a link in a response may be. */
export class UriTooLong extends PlainProblem(414, 'The path and the query of the request are too long.') {}

export class UnsupportedMediaType extends PlainProblem(
  415,
  'The Content-Type, its charset or the Content-Encoding is not supported.',
) {
  /** @param understood the supported media types, for `Accept-Post` (W3C Linked Data Platform §7.1) */
  constructor(detail: string, understood: readonly string[], headers?: Readonly<Record<string, string>>) {
    super(detail, { headers: { 'Accept-Post': understood.join(', '), ...headers } });
  }
}

export class TooManyRequests extends PlainProblem(429, 'RATE_LIMIT allows no more requests.') {
  constructor(perMinute: number, seconds: number) {
    super(`A client may send ${perMinute} requests a minute; try again in ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }
}

export class InternalError extends PlainProblem(
  500,
  'The service failed unexpectedly. The log has the details under this request id.',
) {
  constructor(cause: unknown) {
    super(undefined, { cause });
  }
}

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

/** The connection broke during a COMMIT. Without `Retry-After`: a program must not simply repeat the request. */
export class OutcomeUnknown extends ProblemOf({
  status: 503,
  slug: 'outcome-unknown',
  explanation:
    'The connection to the database broke while a change was being committed: the change was made, or it was not.',
  remedy:
    'Read the post to find out, or send the same request again with its Idempotency-Key. Without a key, a repeated POST may store the post twice.',
}) {
  constructor(cause: unknown) {
    super(undefined, { cause });
  }
}

/** A client, or all of them, would hold more than its part of a resource; see client-quota.ts. */
export class TooBusy extends ServiceUnavailable {
  static override readonly sentence = 'Too many slow or large requests are under way; nothing was changed.';
}
