import { CATALOGUE } from './catalogue.js';
import { type InputFault, Problem } from './problem.js';

/** 400: the body, the query or a header field breaks a rule; `errors` names every fault. */
export class InvalidRequest extends Problem {
  constructor(errors: readonly InputFault[]) {
    const faults = errors.length === 1 ? 'one fault' : `${errors.length} faults`;
    super(CATALOGUE.invalidRequest, { detail: `The request has ${faults}; nothing was changed.`, errors });
  }
}

/** 403: a browser sent a write on behalf of a page of another origin. */
export class CrossOriginWrite extends Problem {
  constructor(detail: string) {
    super(CATALOGUE.crossOriginWrite, { detail });
  }
}

/** 400: Node's parser also accepts HTTP/0.9, which has no status, and HTTP/2.0, which has another syntax. */
export class HttpVersionRefused extends Problem {
  constructor() {
    super(400, { detail: 'The request must be HTTP/1.1 or HTTP/1.0.' });
  }
}

/** 501: the transfer coding is not only `chunked` (RFC 9112 §6.1). */
export class TransferCodingNotImplemented extends Problem {
  constructor() {
    super(501, { detail: 'Of the transfer codings, only chunked is supported; use Content-Encoding.' });
  }
}

/** 403: the service does not answer to the host of the request; see host.ts. */
export class HostNotAllowed extends Problem {
  constructor() {
    super(CATALOGUE.hostNotAllowed, {
      detail: 'The service does not answer to the host of the request. ALLOWED_HOSTS names its hosts.',
    });
  }
}

/** 409: the stored state does not allow the request. */
export class Conflict extends Problem {
  constructor(detail: string) {
    super(409, { detail });
  }
}

/** 412: a precondition of the request does not hold for the target as it is now (RFC 9110 §13). */
export class PreconditionFailed extends Problem {
  constructor(detail: string) {
    super(CATALOGUE.preconditionFailed, { detail });
  }
}

/** 413: the inflated body is larger than the limit. */
export class BodyTooLarge extends Problem {
  /** @param maxBodyBytes the limit, in bytes after inflation */
  constructor(maxBodyBytes: number) {
    const detail = `The body is larger than the limit of ${maxBodyBytes} bytes.`;
    super(CATALOGUE.bodyTooLarge, {
      detail,
      errors: [{ detail, code: 'too_large', limit: maxBodyBytes, pointer: '' }],
    });
  }
}

/** 413: the body inflates to more than legitimate data does. */
export class InflatesTooMuch extends Problem {
  /** @param maxInflation the limit, in inflated bytes for each byte sent */
  constructor(maxInflation: number) {
    super(CATALOGUE.bodyTooLarge, {
      detail: `The body inflates to more than ${maxInflation} times what was sent. Send it with less compression.`,
    });
  }
}

/** 401: a credential is required, and it is missing or wrong. */
export class Unauthorized extends Problem {
  constructor(detail: string, challenge: string) {
    super(401, { detail, headers: { 'WWW-Authenticate': challenge } });
  }
}

/** 404: the path does not exist. */
export class NotFound extends Problem {
  constructor(detail = 'There is nothing at this path.') {
    super(404, { detail });
  }
}

/** 405: the path does not support the method. */
export class MethodNotAllowed extends Problem {
  /** @param allow the value of `Allow` */
  constructor(method: string, allow: string) {
    super(405, { detail: `${method} is not allowed here; ${allow} are.`, headers: { Allow: allow } });
  }
}

/** 406: `Accept` allows none of the available media types. */
export class NotAcceptable extends Problem {
  /** @param available the media types that are available here */
  constructor(available: readonly string[]) {
    const list = available.join(', ');
    super(406, {
      detail: `Available here: ${list}.`,
      errors: [{ detail: `Available here: ${list}`, code: 'not_acceptable', header: 'Accept' }],
      headers: { Vary: 'Accept, Accept-Encoding' },
    });
  }
}

/** 408: the body arrives too slowly, or not at all; the connection is closed. */
export class RequestTimedOut extends Problem {
  constructor(detail: string) {
    super(408, { detail, headers: { Connection: 'close' } });
  }
}

/** 415: the media type, the charset or the content coding of the body is not supported. */
export class UnsupportedMediaType extends Problem {
  /** @param understood the supported media types, for `Accept-Post` (W3C Linked Data Platform §7.1) */
  constructor(detail: string, understood: readonly string[]) {
    super(415, { detail, headers: { 'Accept-Post': understood.join(', ') } });
  }
}

/** 429: the client has used up its RATE_LIMIT. */
export class TooManyRequests extends Problem {
  constructor(perMinute: number, retryAfterSeconds: number) {
    super(429, {
      detail: `A client may send ${perMinute} requests a minute; try again in ${retryAfterSeconds} s.`,
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  }
}

/** 503: the service cannot do this now, but may be able to in a moment. */
export class ServiceUnavailable extends Problem {
  constructor(
    detail: string,
    { retryAfterSeconds = 1, cause }: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(503, { detail, cause, headers: { 'Retry-After': String(retryAfterSeconds) } });
  }
}

/** 503: the service is stopping and accepts no new requests. Another instance, or the next one, accepts them. */
export class ServiceStopping extends ServiceUnavailable {
  constructor() {
    super('The service is stopping; nothing was changed.');
  }
}

/** 503: the bodies that are being read fill the memory budget for bodies. */
export class TooManyBodies extends ServiceUnavailable {
  constructor() {
    super('Too many large bodies are in flight; nothing was changed.');
  }
}

/** 503: the maximum number of imports is running. */
export class TooManyImports extends ServiceUnavailable {
  constructor() {
    super('Too many imports are running; nothing was changed.', { retryAfterSeconds: 5 });
  }
}

/** 503: the client, or all clients together, have the maximum number of slow or large responses. */
export class TooManyResponses extends ServiceUnavailable {
  constructor() {
    super('Too many slow or large responses are under way.');
  }
}

/** 500: an internal fault. The text is fixed; the log has the details. */
export class InternalError extends Problem {
  constructor(cause: unknown) {
    super(500, {
      detail: 'The service failed unexpectedly. The log has the details under this request id.',
      cause,
    });
  }
}

/** A condition that the framework or a library reports only by its status. */
export class OtherProblem extends Problem {}
