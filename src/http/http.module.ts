import { Global, Module, type Type } from '@nestjs/common';
import { APP_GUARD, ModulesContainer } from '@nestjs/core';
import type { Logger } from 'pino';
import { AccountsModule } from '../accounts/accounts.module.js';
import { TokensRepository } from '../accounts/tokens.repository.js';
import { LOGGER } from '../logging/logger.js';
import { requestLog } from '../logging/request-log.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { Metrics } from '../metrics/metrics.js';
import { ProblemDetailsFilter } from '../problem-details/problem-details.filter.js';
import { ProblemDetailsModule } from '../problem-details/problem-details.module.js';
import { declaredRoutes } from './pipeline/declared-routes.js';
import { COMPLETION_OBSERVERS, HttpPipeline, ISSUED_TOKENS } from './pipeline/http-pipeline.js';
import { RolesGuard } from './pipeline/roles.guard.js';
import { RouteTable } from './request/route-table.js';
import { InputGuard } from './request/input.guard.js';
import { RepresentationGuard } from './request/representation.guard.js';
import { RequestBodies } from './request/request-bodies.js';

/** What every request passes: HttpPipeline in front of Express, then the guards in this order. */
@Global()
@Module({
  imports: [AccountsModule, MetricsModule, ProblemDetailsModule],
  providers: [
    HttpPipeline,
    { provide: APP_GUARD, useClass: RolesGuard },
    { provide: APP_GUARD, useClass: RepresentationGuard },
    { provide: APP_GUARD, useClass: InputGuard },
    RequestBodies,
    { provide: ISSUED_TOKENS, useExisting: TokensRepository },
    {
      provide: COMPLETION_OBSERVERS,
      inject: [Metrics, ProblemDetailsFilter, LOGGER],
      useFactory: ({ observe }: Metrics, { refusals }: ProblemDetailsFilter, logger: Logger) => [
        observe,
        refusals.observe,
        ...(logger.isLevelEnabled('info') ? [requestLog(logger)] : []),
      ],
    },
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
