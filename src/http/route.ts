import type { Offer } from './accept.js';

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

/** The methods of those requests that are to change something, whether or not a route has them. */
export const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE', 'PATCH']);

/** A representation that a route can answer with; one with `seeOther` is had by a redirect (303) to that path. */
export interface Representation extends Offer {
  readonly seeOther?: string;
}

/** What a method of a route takes and gives. */
export interface Operation {
  readonly produces: readonly Representation[];
  /** The media types of the request body; without it a body is neither looked at nor read. */
  readonly consumes?: readonly string[];
  /** Those of the media types whose bodies the handler reads by itself, as they come. */
  readonly streams?: readonly string[];
  /** A repeated request is known by its Idempotency-Key and answered as the first was. */
  readonly takesIdempotencyKey?: boolean;
  /** How large its body may be, in bytes, where that is less than MAX_BODY_BYTES. */
  readonly maxBodyBytes?: number;
  /** A success depends on nothing but the URL, `Accept`, `Prefer` and what is stored; see answer-cache.ts. */
  readonly reusable?: boolean;
}

/** A path of the service with its name and methods: the one place where links, 404, 405 and OpenAPI take them from. */
export interface Route {
  readonly name: string;
  /**
   * The canonical path, as OpenAPI writes it: `/posts/{id}/`. A path that ends in `*` stands for all below it and is
   * matched after all others.
   */
  readonly path: string;
  /** The path at which its handler is registered, where that is another one. */
  readonly handledAt?: string;
  /** HEAD comes with GET, OPTIONS with every route. `any` leaves methods and bodies to the route's own handlers. */
  readonly operations: Partial<Record<Method, Operation>> | 'any';
  /** Tells whether the path's parameters can name anything at all; when they cannot, the answer is 404. */
  readonly hasTarget?: (parameters: Readonly<Record<string, string>>) => boolean;
  /** For those who operate the service: it is answered whatever a client has asked for before. */
  readonly isOperational?: boolean;
  /** Writes here ask for a bearer token when API_TOKENS is set. */
  readonly writesNeedToken?: boolean;
  /** Everything here asks for the token of a session in the administration site. */
  readonly needsSession?: boolean;
}

/** The methods of a route, in the order of {@link METHODS}; empty where the route looks after them itself. */
export function allowedMethods(route: Route): readonly Method[] {
  const { operations } = route;
  if (operations === 'any') return [];
  return METHODS.filter(
    (method) => method === 'OPTIONS' || operations[method] || (method === 'HEAD' && operations.GET),
  );
}

/** The operation of a route that answers a method; HEAD is answered as GET is. */
export function operationOf({ operations }: Route, method: Method): Operation | undefined {
  if (operations === 'any') return undefined;
  return operations[method] ?? (method === 'HEAD' ? operations.GET : undefined);
}

/** The path of a route with its parameters filled in: `pathOf(postDetail, { id: 7 })` is `/posts/7/`. */
export function pathOf(route: Route, parameters: object = {}): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(Reflect.get(parameters, name))),
  );
}
