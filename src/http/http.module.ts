import { Global, Module, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { declaredRoutes } from './pipeline/declared-routes.js';
import { InFlightRequests } from './pipeline/in-flight-requests.js';
import { RouteTable } from './pipeline/route-table.js';

/** Provides the routes and the in-flight requests to every module. */
@Global()
@Module({
  providers: [
    InFlightRequests,
    {
      provide: RouteTable,
      inject: [ModulesContainer],
      useFactory: (modules: ModulesContainer) => new RouteTable(declaredRoutes(controllersOf(modules))),
    },
  ],
  exports: [InFlightRequests, RouteTable],
})
export class HttpModule {}

function controllersOf(modules: ModulesContainer): Type[] {
  return [...modules.values()].flatMap((module) => [...module.controllers.keys()] as Type[]);
}
