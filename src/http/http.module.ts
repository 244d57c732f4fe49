import { Global, type MiddlewareConsumer, Module, type NestModule, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { AccountsModule } from '../accounts/accounts.module.js';
import { Turns } from '../limits/turns.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { CachedResponseMiddleware } from './cache/cached-response.middleware.js';
import { declaredRoutes } from './routes/declared-routes.js';
import { ProblemDetailsFilter } from './response/problem-details.filter.js';
import { RequestMiddleware } from './access/request.middleware.js';
import { InputGuard } from './bodies/body.guard.js';
import { InputPipe } from './bodies/input.pipe.js';
import { RolesGuard } from './access/roles.guard.js';
import { RouteTable } from './routes/route-table.js';

/** What every request passes: the middlewares, then the guards, then the pipe, each in this order. create-app.ts imports it first. */
@Global()
@Module({
  imports: [AccountsModule, MetricsModule],
  providers: [
    Turns,
    { provide: APP_FILTER, useClass: ProblemDetailsFilter },
    { provide: APP_GUARD, useClass: RolesGuard },
    { provide: APP_GUARD, useClass: InputGuard },
    { provide: APP_PIPE, useClass: InputPipe },
    {
      provide: RouteTable,
      inject: [ModulesContainer, HttpAdapterHost],
      useFactory: (modules: ModulesContainer, host: HttpAdapterHost) =>
        new RouteTable(declaredRoutes(controllersOf(modules)), host),
    },
  ],
  exports: [RouteTable],
})
export class HttpModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    // With `*`, the URL of every request would be `/`.
    consumer.apply(RequestMiddleware, CachedResponseMiddleware).forRoutes('/');
  }
}

function controllersOf(modules: ModulesContainer): Type[] {
  return [...modules.values()].flatMap((module) => [...module.controllers.keys()] as Type[]);
}
