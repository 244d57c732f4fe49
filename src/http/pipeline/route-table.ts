import { allowedMethods, pathOf, type Route } from './route.js';

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
