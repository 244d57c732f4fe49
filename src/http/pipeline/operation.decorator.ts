import 'reflect-metadata';
import type { OperationDocs } from '../../openapi/operation-docs.js';
import type { InputCheck } from '../request/input-reader.js';
import type { RequestContext } from '../request/request-context.js';
import type { Role } from '../request/author.js';
import type { ApiResponse } from '../response/api-response.js';
import type { StreamedResponse } from '../response/streamed-response.js';
import type { Representation } from './route-table.js';

/** Makes the response of what a handler returns. */
export type Respond = (value: never, context: RequestContext) => ApiResponse | StreamedResponse;

/**
 * `open`: nothing. `write`: a bearer token when API_TOKENS is set; a session or a token that is sent must be an editor's.
 * A role: a session of the administration site, with this role or a higher one.
 */
export type Access = 'open' | 'write' | Role;

/** Everything about an operation that does not follow from its handler's method, path and arguments. */
export interface OperationDeclaration extends OperationDocs {
  /** The name of the route, the same for all methods of a path. Links are built from it. */
  readonly name: string;
  /** What a request needs; `open` by default. bearer-tokens.ts enforces it. */
  readonly access?: Access;
  /** The representations that `Accept` chooses from; by default the media types of the documented success. */
  readonly produces?: readonly Representation[];
  /** Those of the body's media types that the handler reads by itself, as a stream. */
  readonly streams?: readonly string[];
  /** A repeated request is known by its Idempotency-Key and gets the response of the first. */
  readonly takesIdempotencyKey?: boolean;
  /** `Prefer: return=minimal` leaves the body of a success out (RFC 7240 §4.2). */
  readonly takesReturnPreference?: boolean;
  /** How large the body may be, in bytes, where that is less than MAX_BODY_BYTES. */
  readonly maxBodyBytes?: number;
  /**
   * A success depends on nothing but the URL, `Accept`, `Prefer` and what is stored: it may be sent from the cache, without
   * guards, interceptors and handler.
   */
  readonly cacheable?: boolean;
  /** Handled whatever the rate limit says, and while the service stops; asks for no token. */
  readonly isOperational?: boolean;
  /** False where the canonical path does not end with a slash. */
  readonly trailingSlash?: false;
  /** Parameters of the query are ignored, not refused. */
  readonly ignoresQuery?: boolean;
  /** The paths below this one that have no route of their own are handled here too, but for those in some folders. */
  readonly below?: { readonly name: string; readonly except: readonly string[] };
  /** A rule about several arguments at once. */
  readonly check?: InputCheck<never>;
  /**
   * Faulty input reaches the handler, which takes the faults by `@InputFaults()`, adds those that only what is stored can
   * tell, and throws all of them at once.
   */
  readonly addsFaults?: boolean;
  /** Makes the response of what the handler returns; without it the handler returns the response. */
  readonly respond?: Respond;
}

const DECLARATION = 'operation';

/** Declares the operation that a handler performs. Every handler needs it; the service does not start without. */
export function Operation(declaration: OperationDeclaration): MethodDecorator {
  return (_controller, _name, { value }) => {
    Reflect.defineMetadata(DECLARATION, declaration, value as object);
  };
}

/** What {@link Operation} says of a handler. */
export function declarationOf(handler: object): OperationDeclaration | undefined {
  return Reflect.getMetadata(DECLARATION, handler) as OperationDeclaration | undefined;
}
