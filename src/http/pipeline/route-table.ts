import type { Offer } from '../protocol/accept.js';
import type { Role } from '../request/author.js';
import type { InputRules } from '../request/input-reader.js';
import type { InputClass } from '../request/input-rules.js';
import type { OperationDeclaration, Respond } from './operation.decorator.js';

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

export const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE', 'PATCH']);

/** The credentials that an operation requires; `token`: only if API_TOKENS is set. */
export type Needs = 'nothing' | 'token' | 'session';

/** A representation of a route. One with `seeOther` is a redirect (303) to that path. */
export interface Representation extends Offer {
  readonly seeOther?: string;
}

/**
 * A method of a route, as the pipeline uses it: the `declaration` of its handler, and what declared-routes.ts derives
 * from the declaration and the handler's arguments.
 */
export interface RouteOperation {
  /** The name of the handler, and the operationId of the OpenAPI document. */
  readonly id: string;
  /** Empty when `Accept` is ignored. */
  readonly produces: readonly Representation[];
  /** Whether one of the representations is a redirect to the browsable form. */
  readonly offersForm: boolean;
  /** The media types of the request body; undefined when a body is ignored. */
  readonly consumes?: readonly string[] | undefined;
  readonly input: InputRules;
  readonly respond: Respond;
  readonly needs: Needs;
  /** From its `@Roles()`. */
  readonly role: Role | undefined;
  readonly declaration: OperationDeclaration;
}

/** A path of the service with its name and methods, used for links, 404, 405 and OpenAPI. */
export interface Route {
  readonly name: string;
  /**
   * The canonical path in OpenAPI's notation: `/posts/{id}/`. A path that ends in `*` matches all paths below it, after
   * all other routes.
   */
  readonly path: string;
  /** The folders that a path with `*` does not match: `api`. */
  readonly except?: readonly string[];
  readonly handledAt?: string;
  /** GET implies HEAD; every route has OPTIONS. */
  readonly operations: Partial<Record<Method, RouteOperation>>;
  /** The class of the path parameters. Parameters that break its rules give 404. */
  readonly parameters?: InputClass | undefined;
  /** An operational route; see `isOperational` in operation.decorator.ts. */
  readonly isOperational?: boolean;
  /** See `answersAnyHost` in operation.decorator.ts. */
  readonly answersAnyHost?: boolean;
}

/** The `route` in log lines and metrics; raw paths would give an unbounded number of metrics. */
export function routeLabel(route: Route | undefined): string {
  return route?.path ?? 'none';
}

/** The methods of a route, in the order of {@link METHODS}. */
export function allowedMethods({ operations }: Pick<Route, 'operations'>): readonly Method[] {
  return METHODS.filter(
    (method) => method === 'OPTIONS' || operations[method] || (method === 'HEAD' && operations.GET),
  );
}

export function operationOf({ operations }: Route, method: Method): RouteOperation | undefined {
  return operations[method] ?? (method === 'HEAD' ? operations.GET : undefined);
}

/**
 * What a request for a method needs. A write that the route does not have needs what the other writes of the route do:
 * the token is checked before the method.
 */
export function needsFor(route: Route, method: string): Needs {
  const operation = operationOf(route, method as Method);
  if (operation) return operation.needs;
  const { POST, PUT, DELETE } = route.operations;
  const isWrite = method === 'POST' || method === 'PUT' || method === 'DELETE';
  return (isWrite && (PUT ?? POST ?? DELETE)?.needs) || 'nothing';
}

/** The path of a route with its parameters filled in: `pathOf(postDetail, { id: 7 })` is `/posts/7/`. */
export function pathOf({ path }: Pick<Route, 'path'>, parameters: object = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(Reflect.get(parameters, name))),
  );
}

export interface RouteMatch {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
  /** The canonical path, if the request's path lacks its trailing slash. */
  readonly canonicalPath: string | undefined;
  readonly allow: string;
}

interface CompiledRoute {
  readonly route: Route;
  readonly pattern: RegExp;
  readonly allow: string;
}

const NO_PARAMETERS = Object.freeze({});

/** All routes of the service. They are looked up by the raw path of a request, without percent-decoding. */
export class RouteTable {
  readonly #literal = new Map<string, RouteMatch>();
  readonly #patterns: CompiledRoute[] = [];

  constructor(readonly routes: readonly Route[]) {
    for (const route of routes) {
      const allow = allowedMethods(route).join(', ');
      const except = (route.except ?? []).map((folder) => `(?!${folder}(?:/|$))`).join('');
      if (!/[{*]/.test(route.path)) {
        const match = { route, parameters: NO_PARAMETERS, canonicalPath: undefined, allow };
        this.#literal.set(route.path, match);
        if (route.path.endsWith('/')) {
          this.#literal.set(route.path.slice(0, -1), { ...match, canonicalPath: route.path });
        }
      } else {
        const source = route.path
          .replaceAll(/[.+?^$()[\]|\\]/g, String.raw`\$&`)
          .replace(/\*$/, `${except}.+`)
          .replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
          .replace(/\/$/, '/?');
        this.#patterns.push({ route, pattern: new RegExp(`^${source}$`), allow });
      }
    }
    this.#patterns.sort((a, b) => breadth(a.route) - breadth(b.route));
  }

  pathOf(name: string, parameters?: object): string {
    const route = this.routes.find((each) => each.name === name);
    if (!route) throw new Error(`No route has the name ${name}.`);
    return pathOf(route, parameters);
  }

  find(path: string): RouteMatch | undefined {
    const literal = this.#literal.get(path);
    if (literal) return literal;
    for (const { route, pattern, allow } of this.#patterns) {
      const found = pattern.exec(path);
      if (found) {
        const lacksSlash = route.path.endsWith('/') && !path.endsWith('/');
        return {
          route,
          parameters: found.groups ?? NO_PARAMETERS,
          canonicalPath: lacksSlash ? `${path}/` : undefined,
          allow,
        };
      }
    }
    return undefined;
  }
}

/** Sorts routes with `*` last, and of these the longer path first, independent of the order of the modules. */
function breadth({ path }: Route): number {
  return path.endsWith('*') ? 1 / path.length : 0;
}
