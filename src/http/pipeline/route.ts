import type { Offer } from '../protocol/accept.js';
import type { InputClass, InputRules } from '../request/input-reader.js';
import type { OperationDeclaration, Respond } from './operation.decorator.js';

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

/** The methods of those requests that are to change something, whether or not a route has them. */
export const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE', 'PATCH']);

/** A representation that a route can answer with; one with `seeOther` is had by a redirect (303) to that path. */
export interface Representation extends Offer {
  readonly seeOther?: string;
}

/** What a method of a route takes and gives, from the declaration of its handler. */
export interface RouteOperation {
  /** The name of the handler, and the operationId of the OpenAPI document. */
  readonly id: string;
  /** Empty where `Accept` is not looked at. */
  readonly produces: readonly Representation[];
  /** The media types of the request body; without it a body is neither looked at nor read. */
  readonly consumes?: readonly string[] | undefined;
  /** The classes of the handler's arguments. */
  readonly input: InputRules;
  /** Makes the response of what the handler returns. */
  readonly respond: Respond;
  readonly declaration: OperationDeclaration;
}

/** A path of the service with its name and methods: what links, 404, 405 and OpenAPI take them from. */
export interface Route {
  readonly name: string;
  /**
   * The canonical path, as OpenAPI writes it: `/posts/{id}/`. A path that ends in `*` stands for all below it and is
   * matched after all others.
   */
  readonly path: string;
  /** Folders that a path with `*` does not stand for: `api`. */
  readonly except?: readonly string[];
  /** The path at which its handler is registered, where that is another one. */
  readonly handledAt?: string;
  /** HEAD comes with GET, OPTIONS with every route. */
  readonly operations: Partial<Record<Method, RouteOperation>>;
  /** The class of the path's parameters. What breaks its rules cannot name anything, and is not found. */
  readonly parameters?: InputClass | undefined;
  /** For those who operate the service: it is answered whatever a client has asked for before. */
  readonly isOperational?: boolean;
  /** Writes here ask for a bearer token when API_TOKENS is set. */
  readonly writesNeedToken?: boolean;
  /** Everything here asks for the token of a session in the administration site. */
  readonly needsSession?: boolean;
}

/** The methods of a route, in the order of {@link METHODS}. */
export function allowedMethods({ operations }: Pick<Route, 'operations'>): readonly Method[] {
  return METHODS.filter(
    (method) => method === 'OPTIONS' || operations[method] || (method === 'HEAD' && operations.GET),
  );
}

/** The operation of a route that answers a method; HEAD is answered as GET is. */
export function operationOf({ operations }: Route, method: Method): RouteOperation | undefined {
  return operations[method] ?? (method === 'HEAD' ? operations.GET : undefined);
}

/** The path of a route with its parameters filled in: `pathOf(postDetail, { id: 7 })` is `/posts/7/`. */
export function pathOf({ path }: Pick<Route, 'path'>, parameters: object = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(Reflect.get(parameters, name))),
  );
}
