import { quoted } from '../texts/texts.js';
import { FIELD, FIELDS } from './posts.js';

/** One fault of a request. `pointer` is a JSON Pointer into the request body. */
export interface RequestFault {
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly line?: number;
}

/** An error response of the service (RFC 9457). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    detail: string,
    readonly errors: readonly RequestFault[] = [],
    /** The wait that the service requests before a retry. */
    readonly retryAfterSeconds?: number,
    readonly requestId?: string,
  ) {
    super(detail);
  }

  /**
   * What is wrong, in the service's sentences. Where a fault is about a field of a post, its name comes first; other names of
   * the API would tell a person nothing.
   */
  get reasons(): readonly string[] {
    if (this.errors.length === 0) return [this.message];
    return this.errors.map(({ detail, pointer = '' }) => {
      const field = FIELDS.find((each) => pointer === `/${each}`);
      return field === undefined ? detail : `${FIELD[field].label}: ${detail}`;
    });
  }

  /** Reads the problem from an error response. Also accepts a proxy's error page. */
  static async from(response: Response): Promise<Problem> {
    const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
    const { detail, title, errors, request_id } = body ?? {};
    return new Problem(
      response.status,
      [detail, title].find((text) => typeof text === 'string') ??
        `The request failed: HTTP ${response.status}.`,
      Array.isArray(errors) ? (errors as RequestFault[]) : [],
      Number(response.headers.get('Retry-After')) || undefined,
      typeof request_id === 'string' ? request_id : undefined,
    );
  }
}

/** There was no response, or a broken one: the service or the network is down. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The service cannot be reached.', { cause });
  }
}

/** The service has another version of the site by now, without the files of this one. */
export class OldSite extends Error {
  constructor(cause: unknown) {
    super('The site was updated since you opened it. Reload the page to go on.', { cause });
  }
}

/** The session ended, and the user declined to log in again, or another account did. */
export class NotLoggedIn extends Error {
  constructor() {
    super('Not logged in.');
  }
}

/** The log-in was of another account than that of the page, and the browser cannot keep what was entered there. */
export class OtherAccount extends Error {
  constructor(username: string) {
    super(
      `This page has input of ${quoted(username)} that this browser cannot keep. Log in as ${quoted(username)}, or leave the page.`,
    );
  }
}

/** Returns the service's messages on each refused field or parameter, in the order of the fields. */
export function faultsByField<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): Partial<Record<Field, string>> {
  const faults: Partial<Record<Field, string>> = {};
  for (const field of fields) {
    const details = faultsOf(error).filter((fault) => isAt(field, fault));
    if (details.length > 0) faults[field] = details.map(({ detail }) => detail).join(' ');
  }
  return faults;
}

/** Whether a refusal is about nothing but some of these fields or parameters. */
export function isAboutFields(error: unknown, fields: readonly string[]): boolean {
  const faults = faultsOf(error);
  return faults.length > 0 && faults.every((fault) => fields.some((field) => isAt(field, fault)));
}

function faultsOf(error: unknown): readonly RequestFault[] {
  return error instanceof Problem ? error.errors : [];
}

function isAt(field: string, { pointer, parameter }: RequestFault): boolean {
  return pointer === `/${field}` || parameter === field;
}

/** Whether the error is a problem response with one of these statuses. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): error is Problem {
  return error instanceof Problem && statuses.includes(error.status);
}
