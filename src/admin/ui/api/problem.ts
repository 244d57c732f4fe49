/** One fault of a request: `pointer` is a JSON Pointer into the body that was sent. */
export interface RequestFault {
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly line?: number;
}

/** An answer of the service that is not a success (RFC 9457). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    detail: string,
    readonly errors: readonly RequestFault[] = [],
    /** What the service asks to wait before another try. */
    readonly retryAfterSeconds?: number,
    readonly requestId?: string,
  ) {
    super(detail);
    this.name = 'Problem';
  }

  /** Reads what the service says went wrong; a proxy's page instead of a problem will do. */
  static async from(response: Response): Promise<Problem> {
    const { detail, title, errors, request_id } = await membersOf(response);
    const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
    return new Problem(
      response.status,
      typeof detail === 'string' ? detail : typeof title === 'string' ? title : `HTTP ${response.status}`,
      Array.isArray(errors) ? (errors as RequestFault[]) : [],
      Number.isFinite(retryAfter) ? retryAfter : undefined,
      typeof request_id === 'string' ? request_id : undefined,
    );
  }
}

/** No answer at all: the service is down, or the network is. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The service cannot be reached.', { cause });
    this.name = 'Unreachable';
  }
}

/** The session ended and the person chose not to log in again. */
export class NotLoggedIn extends Error {
  constructor() {
    super('Not logged in.');
    this.name = 'NotLoggedIn';
  }
}

/** The service's words on each field that it refused, in the order of the fields; what is not about one is not among them. */
export function faultsByField<Field extends string>(
  errors: readonly RequestFault[],
  fields: readonly Field[],
): Partial<Record<Field, string>> {
  const faults: Partial<Record<Field, string>> = {};
  for (const field of fields) {
    const details = errors.filter(({ pointer }) => pointer === `/${field}`).map(({ detail }) => detail);
    if (details.length > 0) faults[field] = details.join(' ');
  }
  return faults;
}

/** Whether the error says that the service answered with this status. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): error is Problem {
  return error instanceof Problem && statuses.includes(error.status);
}

async function membersOf(response: Response): Promise<Record<string, unknown>> {
  try {
    const members: unknown = await response.json();
    return typeof members === 'object' && members !== null ? (members as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
