import {
  type DynamicModule,
  Global,
  Inject,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { TemporaryFilesModule } from '../temporary-files/temporary-files.module.js';
import { Turns } from '../turns/index.js';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import { AccessGuard } from './access/access.guard.js';
import { BearerTokens } from './access/bearer-tokens.js';
import { RequestMiddleware } from './access/request.middleware.js';
import { BodyGuard } from './bodies/body.guard.js';
import { InputPipe } from './bodies/input.pipe.js';
import { CachedResponseMiddleware } from './cache/cached-response.middleware.js';
import { ResponseCache } from './cache/response-cache.js';
import { DiscardedBodies } from './response/discarded-bodies.js';
import { ProblemDetailsFilter } from './response/problem-details.filter.js';
import { SENDS_HEADER_TEXT } from './response/prebuilt-response.js';
import { ResponseWriter } from './response/response-writer.js';
import { declaredRoutes } from './routes/declared-routes.js';
import { RouteTable } from './routes/route-table.js';
import { FastExpressAdapter } from './server/fast-express-adapter.js';
import { InFlightRequests } from './server/in-flight-requests.js';
import { RequestCounts } from './server/request-counts.js';

/**
 * What every request passes: the middlewares, then the guards, then the pipe, each in this order. It is the root, and
 * imports the application that it serves: Nest runs the global guards, pipes and filters of the root first.
 */
@Global()
@Module({
  imports: [TemporaryFilesModule],
  providers: [
    Turns,
    BearerTokens,
    DiscardedBodies,
    { provide: APP_FILTER, useClass: ProblemDetailsFilter },
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: BodyGuard },
    InputPipe,
    { provide: APP_PIPE, useExisting: InputPipe },
    InFlightRequests,
    RequestCounts,
    ResponseCache,
    ResponseWriter,
    {
      provide: RouteTable,
      inject: [ModulesContainer, HttpAdapterHost],
      useFactory: (modules: ModulesContainer, host: HttpAdapterHost) =>
        new RouteTable(declaredRoutes(controllersOf(modules)), host),
    },
  ],
  exports: [InFlightRequests, RequestCounts, RouteTable],
})
export class HttpModule implements NestModule, OnModuleInit {
  static serving(application: Type | DynamicModule): DynamicModule {
    return { module: HttpModule, imports: [application] };
  }

  constructor(
    private readonly host: HttpAdapterHost<FastExpressAdapter>,
    private readonly inFlightRequests: InFlightRequests,
    private readonly writer: ResponseWriter,
    private readonly turns: Turns,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  configure(consumer: MiddlewareConsumer): void {
    // With `*`, the URL of every request would be `/`.
    consumer.apply(RequestMiddleware, CachedResponseMiddleware).forRoutes('/');
  }

  onModuleInit(): void {
    this.host.httpAdapter.respondWith(this.writer, this.inFlightRequests, this.turns);
    if (!SENDS_HEADER_TEXT)
      this.logger.warn(
        'This version of Node.js is new to the service: cached responses cost it more processor time.',
      );
  }
}

function controllersOf(modules: ModulesContainer): Type[] {
  return [...modules.values()].flatMap((module) => [...module.controllers.keys()] as Type[]);
}
