import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
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
export class NestRoutes {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly routes: RouteTable,
  ) {}

  /** The methods that are allowed at a path; empty where only middleware is bound, undefined when nothing is there. */
  methodsAt(path: string): readonly string[] | undefined {
    const app = this.host.httpAdapter.getInstance<Express>();
    const layers = (app.router.stack as unknown as readonly Layer[]).filter((layer) =>
      layer.route
        ? !this.routes.handledPaths.has(layer.route.path) && layer.match(path)
        : layer.match(path) && !layer.match(NOWHERE),
    );
    if (layers.length === 0) return undefined;
    const handlers = layers.flatMap(({ route }) => route ?? []);
    if (handlers.length === 0) return [];
    const isTaken = (method: string): boolean =>
      handlers.some(({ methods }) => methods[method.toLowerCase()] ?? false);
    return METHODS.filter(
      (method) => method === 'OPTIONS' || isTaken(method) || (method === 'HEAD' && isTaken('GET')),
    );
  }
}
