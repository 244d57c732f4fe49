interface ProblemKindText {
  /**
   * The code, and the last segment of the type, `<base_url>/problems/<slug>/`. It never changes: clients compare it.
   */
  readonly slug: string;
  readonly status: number;
  readonly title: string;
  readonly explanation: string;
  readonly remedy: string;
}

/**
 * The kinds of problem that say more than their status. All others are plain HTTP conditions of type `about:blank` (RFC
 * 9457 §4.2.1).
 */
export const CATALOGUE = {
  invalidRequest: {
    slug: 'invalid-request',
    status: 400,
    title: 'Invalid request',
    explanation:
      'The body, the query or a header field breaks a rule. Nothing was changed. The member errors lists every fault: its detail and its code, and its place as a JSON Pointer into the body (pointer), a query parameter (parameter) or a header field (header).',
    remedy: 'Correct every fault in errors and send the request again.',
  },
  crossOriginWrite: {
    slug: 'cross-origin-write',
    status: 403,
    title: 'Cross-origin write refused',
    explanation: 'A browser sent a write on behalf of a page of another origin. Nothing was changed.',
    remedy:
      'The operator can allow an origin with CORS_ORIGINS, and names the address that clients use with PUBLIC_URL or TRUST_PROXY.',
  },
  roleMissing: {
    slug: 'role-missing',
    status: 403,
    title: 'Role missing',
    explanation:
      'The session or the API token of the request is valid, but its role is too low: a viewer reads and exports, an editor also writes, deletes, restores and imports, an administrator also purges and manages accounts and tokens. Nothing was changed.',
    remedy: 'Ask an administrator for the role that detail names.',
  },
  hostNotAllowed: {
    slug: 'host-not-allowed',
    status: 403,
    title: 'Host not allowed',
    explanation:
      'The service does not answer to the host name of the request. A web page may have pointed its own host name at this machine. Nothing was changed.',
    remedy:
      'Use the address that the operator gave you. The operator names the hosts of the service in ALLOWED_HOSTS; by default they are the host of PUBLIC_URL and the names of loopback.',
  },
  idempotencyKeyInUse: {
    slug: 'idempotency-key-in-use',
    status: 409,
    title: 'Idempotency key in use',
    explanation:
      'A request with the same Idempotency-Key is still running, and its outcome is not yet known.',
    remedy:
      'Wait as long as Retry-After says and send the same request again; it then gets the response to the first one.',
  },
  lastAdministrator: {
    slug: 'last-administrator',
    status: 409,
    title: 'Last administrator',
    explanation:
      'The account is the last administrator that is enabled; without it no account could manage the others. Nothing was changed.',
    remedy: 'Make another account an administrator, or enable one, and try again.',
  },
  usernameTaken: {
    slug: 'username-taken',
    status: 409,
    title: 'User name taken',
    explanation:
      'There is an account with this user name already; case does not matter. Nothing was changed.',
    remedy: 'Choose another name. An account that was disabled can be enabled again.',
  },
  deletionsExpired: {
    slug: 'deletions-expired',
    status: 410,
    title: 'Deletions expired',
    explanation:
      'deleted_after is earlier than the time from which deletions are known: they are kept for HISTORY_DAYS.',
    remedy:
      'Make a new copy: read all posts, and ask for deletions since the Last-Modified of that response.',
  },
  preconditionFailed: {
    slug: 'precondition-failed',
    status: 412,
    title: 'Precondition failed',
    explanation:
      'If-Match, If-None-Match or If-Unmodified-Since does not hold: usually another client changed the post since it was read. Nothing was changed.',
    remedy: 'Read the post again, apply your change to the current version, and send it with the new ETag.',
  },
  bodyTooLarge: {
    slug: 'body-too-large',
    status: 413,
    title: 'Body too large',
    explanation:
      'The body, after inflation, is larger than the limit that detail names. Nothing was changed.',
    remedy: 'Send less. The operator can raise the limit with MAX_BODY_BYTES.',
  },
  idempotencyKeyReused: {
    slug: 'idempotency-key-reused',
    status: 422,
    title: 'Idempotency key reused',
    explanation:
      'Within the last 24 hours the same Idempotency-Key was used for another payload: other bytes, or another media type. Nothing was changed.',
    remedy: 'Use a new key for a new payload, and an old key only to send the very same payload again.',
  },
  tooManyLogIns: {
    slug: 'too-many-log-ins',
    status: 429,
    title: 'Too many attempts to log in',
    explanation:
      'From this address, or for this user name, too many passwords were tried. Until Retry-After has passed, every password is refused, even the right one.',
    remedy: 'Wait as long as Retry-After says. An administrator can set a new password.',
  },
} as const satisfies Record<string, ProblemKindText>;

/** The codes of the plain HTTP conditions, by status. Like a slug, they never change. */
export const PLAIN_CODES = {
  400: 'bad-request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  406: 'not-acceptable',
  408: 'request-timeout',
  409: 'conflict',
  415: 'unsupported-media-type',
  429: 'too-many-requests',
  500: 'internal-server-error',
  501: 'not-implemented',
  503: 'service-unavailable',
} as const;

export type ProblemCode =
  (typeof CATALOGUE)[keyof typeof CATALOGUE]['slug'] | (typeof PLAIN_CODES)[keyof typeof PLAIN_CODES];

/** A kind of problem of this service. Its `type` is a URL with this explanation. */
export interface ProblemKind extends ProblemKindText {
  readonly slug: (typeof CATALOGUE)[keyof typeof CATALOGUE]['slug'];
}

export const PROBLEM_KINDS: readonly ProblemKind[] = Object.values(CATALOGUE);

export const PROBLEM_CODES: readonly ProblemCode[] = [
  ...PROBLEM_KINDS.map(({ slug }) => slug),
  ...Object.values(PLAIN_CODES),
];

/** The code of a plain HTTP condition. Clients treat a status without a code as 400 or 500 (RFC 9110 §15). */
export function plainCode(status: number): ProblemCode {
  const codes: Readonly<Record<number, ProblemCode>> = PLAIN_CODES;
  return codes[status] ?? PLAIN_CODES[status < 500 ? 400 : 500];
}

export function findKind(slug: string): ProblemKind | undefined {
  return PROBLEM_KINDS.find((kind) => kind.slug === slug);
}
