import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Logger } from 'pino';
import { DatabaseModule } from '../database/database.module.js';
import { declaredRoutes } from '../http/pipeline/declared-routes.js';
import { InFlightRequests } from '../http/pipeline/in-flight-requests.js';
import { RouteTable } from '../http/pipeline/route-table.js';
import { LOGGER } from '../logging/logger.js';
import { type Settings, SETTINGS } from '../settings/settings.js';

/**
 * Provides what every module may use: the settings and the logger, which exist before Nest starts, the database, the
 * routes and the in-flight requests.
 */
@Module({})
export class GlobalsModule {
  static of(settings: Settings, logger: Logger): DynamicModule {
    return {
      module: GlobalsModule,
      global: true,
      imports: [DatabaseModule.forRoot()],
      providers: [
        { provide: SETTINGS, useValue: settings },
        { provide: LOGGER, useValue: logger },
        InFlightRequests,
        {
          provide: RouteTable,
          inject: [ModulesContainer],
          useFactory: (modules: ModulesContainer) => new RouteTable(declaredRoutes(controllersOf(modules))),
        },
      ],
      exports: [SETTINGS, LOGGER, InFlightRequests, RouteTable],
    };
  }
}

function controllersOf(modules: ModulesContainer): Type[] {
  return [...modules.values()].flatMap((module) => [...module.controllers.keys()] as Type[]);
}
