import { Reflector } from '@nestjs/core';
import type { InputClass } from '../../input/index.js';
import { parseMediaType } from '../protocol/media-type.js';
import type { AccessRule } from './access.js';

/** A representation of a route. One with `seeOther` is a redirect (303) to that path. */
export interface Representation {
  /** In lower case, without parameters: `text/csv`. */
  readonly mediaType: string;
  /** A media type that clients ask for: a 406 tells them to ask for this one. */
  readonly inPlaceOf?: string;
  readonly seeOther?: string;
}

type ByMediaType = Readonly<Record<string, unknown>>;

/**
 * What a handler declares: the properties of its operation that do not follow from its method, path and arguments.
 * {@link RouteOperation} adds those that do.
 */
export interface OperationDeclaration {
  /** The name of the route, the same for all methods of a path. Links are built from it. */
  readonly name: string;
  /** The names of the request header fields on which the response depends. */
  readonly parameters?: readonly string[];
  /** The bodies that the operation takes, and those of its responses, by media type. */
  readonly body?: { readonly content: ByMediaType };
  readonly responses?: Readonly<Record<number, { readonly content?: ByMediaType }>>;
  /** The response is for one user: nothing stores it. */
  readonly isPrivate?: boolean;
  /** The representations that `Accept` selects from; by default the media types of the documented success. */
  readonly produces?: readonly Representation[];
  /** The media types of the body that the handler reads as a stream. */
  readonly streams?: readonly string[];
  /** A repeated request is recognised by its Idempotency-Key and gets the response of the first. */
  readonly takesIdempotencyKey?: boolean;
  readonly maxBodyBytes?: number;
  /**
   * A success depends only on the URL, `Accept`, `Prefer` and the stored data. The cache may send it without running
   * guards, interceptors and the handler, until any data changes. `rowOf`: until the row of this table changes whose id
   * is in the path, because the response depends on no other one.
   */
  readonly cacheable?: true | { readonly rowOf: string };
  /** Exempt from the rate limit, from tokens and from the rejection of requests while the service stops. */
  readonly isOperational?: boolean;
  /** Exempt from ALLOWED_HOSTS: probes send an address as their host. */
  readonly answersAnyHost?: boolean;
  /** False where the canonical path does not end with a slash. */
  readonly trailingSlash?: false;
  readonly ignoresQuery?: boolean;
  /** The route of the created resource, for the `Location` of a 201, and its parameters beside those of this path. */
  readonly location?: (value: never) => readonly [routeName: string, parameters?: object];
}

/** Attaches its declaration to a handler; see `@Operation()` in the room openapi. */
export const Declaration = Reflector.createDecorator<OperationDeclaration>();

/** What a handler declares, and what declared-routes.ts derives from the handler. */
export interface RouteOperation {
  readonly declaration: OperationDeclaration;
  /** Empty when `Accept` is ignored. */
  readonly produces: readonly Representation[];
  /** The media types of the request body; undefined when a body is ignored. */
  readonly consumes: readonly string[] | undefined;
  /** The class of `@Query()`. Without one, the query must be empty. */
  readonly query: InputClass | undefined;
  /** The request fields on which its successes depend, for `Vary`. */
  readonly vary: string;
  /** From its `@Access()`. */
  readonly access: AccessRule;
}

/** A method of a path, whose handlers differ in the media types that they take or produce. */
export interface RouteMethod {
  readonly operations: readonly [RouteOperation, ...RouteOperation[]];
  /** What its operations produce, all together. */
  readonly produces: RouteOperation['produces'];
  /** What its operations consume, all together. */
  readonly consumes: RouteOperation['consumes'];
}

/**
 * The operation that a request is for, by the representation that `Accept` selected, and by the media type of the body.
 * Where none fits, the first one, which is refused.
 */
export function operationFor(
  { operations }: RouteMethod,
  representation: Representation | undefined,
  contentType: string | undefined,
): RouteOperation {
  const [first, ...others] = operations;
  if (others.length === 0) return first;
  const type = contentType === undefined ? undefined : parseMediaType(contentType).type;
  const isMeant = ({ produces, consumes }: RouteOperation): boolean =>
    consumes ? type !== undefined && consumes.includes(type) : produces.includes(representation!);
  return operations.find(isMeant) ?? first;
}
