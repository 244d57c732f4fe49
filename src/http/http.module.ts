import { Global, Module, type Type } from '@nestjs/common';
import { APP_GUARD, ModulesContainer } from '@nestjs/core';
import { AccountsModule } from '../accounts/accounts.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { ProblemDetailsModule } from '../problem-details/problem-details.module.js';
import { declaredRoutes } from './pipeline/declared-routes.js';
import { HttpPipeline } from './pipeline/http-pipeline.js';
import { BodyGuard } from './request/body.guard.js';
import { RolesGuard } from './request/roles.guard.js';
import { RouteTable } from './request/route-table.js';
import { InputGuard } from './request/input.guard.js';
import { RequestBodies } from './request/request-bodies.js';

/** What every request passes: HttpPipeline in front of Express, then the guards in this order. */
@Global()
@Module({
  imports: [AccountsModule, MetricsModule, ProblemDetailsModule],
  providers: [
    HttpPipeline,
    { provide: APP_GUARD, useClass: RolesGuard },
    { provide: APP_GUARD, useClass: BodyGuard },
    { provide: APP_GUARD, useClass: InputGuard },
    RequestBodies,
    {
      provide: RouteTable,
      inject: [ModulesContainer],
      useFactory: (modules: ModulesContainer) => new RouteTable(declaredRoutes(controllersOf(modules))),
    },
  ],
  exports: [HttpPipeline, RouteTable],
})
export class HttpModule {}

function controllersOf(modules: ModulesContainer): Type[] {
  return [...modules.values()].flatMap((module) => [...module.controllers.keys()] as Type[]);
}
