import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccountsModule } from './accounts/accounts.module.js';
import { AdminModule } from './admin/admin.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DocsModule } from './openapi/docs.module.js';
import { EntryPointModule } from './entry-point/entry-point.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { LoggingModule } from './logging/logging.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { PostsModule } from './posts/posts.module.js';
import { ProblemDetailsModule } from './problem-details/problem-details.module.js';
import { SettingsModule } from './settings/settings.module.js';
import type { Settings } from './settings/settings.js';

/** The table of contents of the service. */
@Module({})
export class AppModule {
  static of(settings: Settings, logger: Logger): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.of(settings),
        LoggingModule.of(logger),
        DatabaseModule.forRoot(),
        HttpModule,
        EntryPointModule,
        PostsModule,
        ProblemDetailsModule,
        DocsModule,
        HealthModule,
        MetricsModule,
        AccountsModule,
        AdminModule,
      ],
    };
  }
}
