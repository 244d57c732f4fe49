import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccountsModule } from './accounts/accounts.module.js';
import { AdminModule } from './admin/admin.module.js';
import { GlobalsModule } from './bootstrap/globals.module.js';
import { POST_MODULES, ServiceJobsModule } from './bootstrap/post-modules.js';
import { EntryPointController } from './entry-point/entry-point.controller.js';
import { HealthModule } from './health/health.module.js';
import { LiveChangesModule } from './live-changes/live-changes.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { DocsModule } from './openapi/index.js';
import type { Settings } from './settings/settings.js';

@Module({})
export class AppModule {
  static of(settings: Settings, logger: Logger): DynamicModule {
    return {
      module: AppModule,
      controllers: [EntryPointController],
      imports: [
        GlobalsModule.of(settings, logger),
        ...POST_MODULES,
        LiveChangesModule,
        DocsModule,
        HealthModule,
        MetricsModule,
        AccountsModule,
        AdminModule,
        ServiceJobsModule,
      ],
    };
  }
}
