import type { Offer } from '../protocol/accept.js';
import type { InputRules } from '../request/input-reader.js';
import type { InputClass } from '../request/input-rules.js';
import type { Role } from '../request/author.js';
import type { Access, OperationDeclaration, Respond } from './operation.decorator.js';

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

/** The methods of those requests that are to change something, whether or not a route has them. */
export const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE', 'PATCH']);

/** A representation that a route has; one with `seeOther` is a redirect (303) to that path. */
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
  /** For operators: handled whatever a client has asked for before. */
  readonly isOperational?: boolean;
}

/** The methods of a route, in the order of {@link METHODS}. */
export function allowedMethods({ operations }: Pick<Route, 'operations'>): readonly Method[] {
  return METHODS.filter(
    (method) => method === 'OPTIONS' || operations[method] || (method === 'HEAD' && operations.GET),
  );
}

/** The operation of a method; that of HEAD is that of GET. */
export function operationOf({ operations }: Route, method: Method): RouteOperation | undefined {
  return operations[method] ?? (method === 'HEAD' ? operations.GET : undefined);
}

/** Who may perform an operation: by a token, by a session, and in which role. */
export interface AccessRule {
  /** `token`: only where API_TOKENS is set. */
  readonly needs: 'nothing' | 'token' | 'session';
  /** The lowest role of a bearer that is known; undefined where any may. */
  readonly role: Role | undefined;
}

const ACCESS_RULES: Readonly<Record<Access, AccessRule>> = {
  open: { needs: 'nothing', role: undefined },
  write: { needs: 'token', role: 'editor' },
  viewer: { needs: 'session', role: 'viewer' },
  editor: { needs: 'session', role: 'editor' },
  administrator: { needs: 'session', role: 'administrator' },
};

/** What the declaration of an operation asks of a request. A method that the route does not have asks for nothing. */
export function accessRuleOf(operation: RouteOperation | undefined): AccessRule {
  return ACCESS_RULES[operation?.declaration.access ?? 'open'];
}

/** The path of a route with its parameters filled in: `pathOf(postDetail, { id: 7 })` is `/posts/7/`. */
export function pathOf({ path }: Pick<Route, 'path'>, parameters: object = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(Reflect.get(parameters, name))),
  );
}

/** What the table knows of a path. */
export interface RouteMatch {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
  /** The canonical path, when the request's path lacks its closing slash. */
  readonly canonicalPath: string | undefined;
  /** The value of `Allow`. */
  readonly allow: string;
}

interface CompiledRoute {
  readonly route: Route;
  readonly pattern: RegExp;
  readonly allow: string;
}

const NO_PARAMETERS = Object.freeze({});

/** All routes of the service, looked up by the raw path of a request; nothing is percent-decoded on the way. */
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

  /** The path of a named route with its parameters filled in. */
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

/** What stands for all below a path comes last, and the longer path first, whatever the order of the modules. */
function breadth({ path }: Route): number {
  return path.endsWith('*') ? 1 / path.length : 0;
}
