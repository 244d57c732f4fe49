import type { OnApplicationBootstrap } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import { NotFound } from '../../problem-details/index.js';
import type { OperationDeclaration, RouteMethod } from './operation.js';

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

export const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE', 'PATCH']);

/** The route of a path that no handler has, in the log and the metrics. Raw paths would give an unbounded number of metrics. */
export const NO_ROUTE = 'none';

/** The request fields on which every response depends. */
export const VARY = 'Accept, Accept-Encoding';

/** A path of the service with its name and methods, used for links, 404, 405 and OpenAPI. */
export interface Route extends Pick<OperationDeclaration, 'name' | 'isOperational' | 'answersAnyHost'> {
  /** In OpenAPI's notation: `/posts/{id}/`. */
  readonly path: string;
  /** Of GET, POST, PUT and DELETE. GET implies HEAD; every route has OPTIONS. */
  readonly methods: Partial<Record<Method, RouteMethod>>;
  /** The parameters of the path that are integers. */
  readonly integers?: readonly string[] | undefined;
}

/** The URL of a named route: `urlOf('post-detail', { id: 7 })`. */
export type UrlOf = (routeName: string, parameters?: object) => string;

/** The methods of a route, in the order of {@link METHODS}. */
export function allowedMethods({ methods }: Pick<Route, 'methods'>): readonly Method[] {
  return METHODS.filter((method) => method === 'OPTIONS' || methods[method === 'HEAD' ? 'GET' : method]);
}

export interface RouteMatch {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

const NO_PARAMETERS = Object.freeze({});

/** What Express has registered for a path: the methods of a handler, or a middleware without methods. */
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** What serves a path without a declared route. */
export interface Undeclared {
  /** Empty where a middleware or an `@All()` takes each. */
  readonly methods: readonly string[];
  /** False where only middleware serves the path, so that no guard sees its requests. */
  readonly isHandled: boolean;
}

/** A path that only middleware for every path matches. */
const NOWHERE = '/.nothing-is-here/';

/**
 * All routes of the service: those of handlers that declare an `@Operation()`, which are looked up by the raw path of a
 * request, without percent-decoding, and those that other modules of Nest serve without one.
 */
export class RouteTable implements OnApplicationBootstrap {
  readonly #byName = new Map<string, Route>();
  readonly #literal = new Map<string, RouteMatch>();
  readonly #patterns: { readonly route: Route; readonly pattern: RegExp }[] = [];
  /** The paths of the declared routes, as Express writes them. */
  readonly #declared: ReadonlySet<string>;

  /** @throws Error when two routes have the same name */
  constructor(
    readonly routes: readonly Route[],
    private readonly host?: HttpAdapterHost,
  ) {
    for (const route of routes) {
      const { name, path } = route;
      const other = this.#byName.get(name);
      if (other) throw new Error(`${other.path} and ${path} have the same name: ${name}.`);
      this.#byName.set(name, route);
      if (path.includes('{')) {
        this.#patterns.push({ route, pattern: patternOf(path) });
        continue;
      }
      const match = { route, parameters: NO_PARAMETERS };
      this.#literal.set(path, match).set(path.replace(/\/$/, ''), match);
    }
    this.#declared = new Set(
      routes.map(({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/(?<=.)\/$/, '')),
    );
  }

  /** The path of a route with its parameters filled in: `pathOf('post-detail', { id: 7 })` is `/posts/7/`. */
  pathOf(name: string, parameters: object = {}): string {
    const route = this.#byName.get(name);
    if (!route) throw new Error(`No route has the name ${name}.`);
    return route.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
      encodeURIComponent(String(Reflect.get(parameters, parameter))),
    );
  }

  /** @param path with or without the slash at its end */
  find(path: string): RouteMatch | undefined {
    const literal = this.#literal.get(path);
    if (literal) return literal;
    for (const { route, pattern } of this.#patterns) {
      const parameters = pattern.exec(path)?.groups;
      if (parameters) return { route, parameters };
    }
    return undefined;
  }

  /** @throws Error which stops the start, when Nest serves a route elsewhere, or a request would never reach a handler */
  onApplicationBootstrap(): void {
    const handled = this.#layers().flatMap(({ route }) => route ?? []);
    const served = new Set(handled.map(({ path }) => path));
    const elsewhere = [...this.#declared].find((path) => !served.has(path));
    // Commands have no server.
    if (served.size > 0 && elsewhere !== undefined)
      throw new Error(
        `Nest does not serve ${elsewhere}. Set BASE_PATH in place of setGlobalPrefix(), and write versions into the paths in place of enableVersioning().`,
      );
    for (const { path, methods } of handled) {
      const taking = path.includes('*') ? undefined : this.find(path)?.route;
      const isDeclared = (method: string): boolean => method.toUpperCase() in taking!.methods;
      if (!taking || (this.#declared.has(path) && Object.keys(methods).every(isDeclared))) continue;
      throw new Error(
        `No request reaches the handler at ${path}: ${taking.path} takes them. Declare an @Operation() there, or change a path.`,
      );
    }
  }

  /** What serves a path without a declared route. @throws NotFound */
  undeclaredAt(path: string | undefined): Undeclared {
    if (path === undefined) throw new NotFound();
    const layers = this.#layers().filter((layer) => layer.match(path) && this.#isUndeclared(layer));
    if (layers.length === 0) throw new NotFound();
    const handled = layers.flatMap(({ route }) => Object.keys(route?.methods ?? {}));
    const isHandled = handled.length > 0;
    if (!isHandled || handled.includes('options')) return { methods: [], isHandled };
    const implied = handled.includes('get') ? ['head', 'options'] : ['options'];
    const methods = [...new Set([...handled, ...implied])].map((method) => method.toUpperCase());
    return { methods, isHandled };
  }

  /** Middleware for every path serves none of its own. */
  #isUndeclared(layer: Layer): boolean {
    return layer.route ? !this.#declared.has(layer.route.path) : !layer.match(NOWHERE);
  }

  #layers(): readonly Layer[] {
    const app = this.host?.httpAdapter.getInstance<Express>();
    return (app?.router.stack ?? []) as unknown as readonly Layer[];
  }
}

/** An integer in a path has its canonical form: `/posts/07/` is not found. */
const INTEGER = /^[1-9]\d{0,15}$/;

/** Whether the parameters of a path can identify anything. The other rules of their class come later. */
export function areIdentifying(integers: readonly string[], sent: RouteMatch['parameters']): boolean {
  for (const name of integers) {
    if (!INTEGER.test(sent[name]!) || !Number.isSafeInteger(Number(sent[name]))) return false;
  }
  return true;
}

function patternOf(path: string): RegExp {
  const source = path
    .replaceAll(/[.*+?^$()[\]|\\]/g, String.raw`\$&`)
    .replace(/\/$/, '/?')
    .replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${source}$`);
}
