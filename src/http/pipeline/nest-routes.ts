import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import { NotFound } from '../../problem-details/problems.js';
import { METHODS, RouteTable } from '../request/route-table.js';

/** What Express has registered for a path: the methods of a handler, or a middleware without methods. */
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** A path that only middleware for every path matches. */
const NOWHERE = '/.nothing-is-here/';

/** The paths that modules of Nest serve without an `@Operation()`. */
@Injectable()
export class NestRoutes implements OnApplicationBootstrap {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly routes: RouteTable,
  ) {}

  /** @throws Error which stops the start, when Nest serves a route at another path, where every request would be a 404 */
  onApplicationBootstrap(): void {
    const served = new Set(this.#layers().flatMap(({ route }) => route?.path ?? []));
    // Commands have no server.
    if (served.size === 0) return;
    for (const path of this.routes.handledPaths) {
      if (served.has(path)) continue;
      throw new Error(
        `Nest does not serve ${path}. Set BASE_PATH in place of setGlobalPrefix(), and write versions into the paths in place of enableVersioning().`,
      );
    }
  }

  /** The methods that are allowed at a path; empty where only middleware is bound. @throws NotFound */
  methodsAt(path: string | undefined): readonly string[] {
    if (path === undefined) throw new NotFound();
    const layers = this.#layers().filter((layer) =>
      layer.route
        ? !this.routes.handledPaths.has(layer.route.path) && layer.match(path)
        : layer.match(path) && !layer.match(NOWHERE),
    );
    if (layers.length === 0) throw new NotFound();
    const handlers = layers.flatMap(({ route }) => route ?? []);
    if (handlers.length === 0) return [];
    const isTaken = (method: string): boolean =>
      handlers.some(({ methods }) => methods[method.toLowerCase()] ?? false);
    return METHODS.filter(
      (method) => method === 'OPTIONS' || isTaken(method) || (method === 'HEAD' && isTaken('GET')),
    );
  }

  #layers(): readonly Layer[] {
    const app = this.host.httpAdapter.getInstance<Express>();
    return app.router.stack as unknown as readonly Layer[];
  }
}
