import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import type { DataSource, Logger as TypeOrmLogger } from 'typeorm';
import { LOGGER } from '../logging/logger.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { writerOptions } from './data-source-options.js';
import { Database } from './database.js';
import { openDatabase, openDataSource } from './open-database.js';

/** Opens the database, brings its schema up to date and offers it as {@link Database}. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  static forRoot(): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [SETTINGS, LOGGER],
          useFactory: ({ database, migratesDatabase }: Settings, logger: Logger) => ({
            ...writerOptions(database),
            migrationsRun: migratesDatabase,
            logger: new TypeOrmLog(logger),
            autoLoadEntities: true,
            // What can be waited for was waited for, and the fault says the rest.
            toRetry: () => false,
          }),
          dataSourceFactory: (options) => openDataSource(options!),
        }),
      ],
      providers: [
        {
          provide: Database,
          inject: [getDataSourceToken(), SETTINGS, LOGGER],
          useFactory: (dataSource: DataSource, { database }: Settings, logger: Logger) =>
            openDatabase(dataSource, database, logger),
        },
      ],
      exports: [Database],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}

/** Puts what TypeORM would print on the console into the service's log: that a migration has failed, and nothing else. */
export class TypeOrmLog implements TypeOrmLogger {
  constructor(private readonly logger: Logger) {}

  logMigration(message: string): void {
    this.logger.error(message);
  }

  // Statements, and what comes of them, are for DatabaseFault to tell, without values.
  logQuery(): void {}
  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  log(): void {}
}
