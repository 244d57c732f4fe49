import { type DynamicModule, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import { AbstractLogger } from 'typeorm';
import { LOGGER } from '../logging/logger.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { type OpenDataSource, ServerStarting } from './data-source.js';
import { writerOptions } from './data-source-options.js';
import { Database } from './database.js';
import { openDatabase, openDataSource } from './open-database.js';

/** Opens the database, migrates its schema, and provides it as {@link Database}. */
@Module({})
export class DatabaseModule {
  /** @param isBesideService for a command that may run while a service has the SQLite file open; it does not migrate */
  static forRoot({ isBesideService = false } = {}): DynamicModule {
    const purpose = isBesideService ? 'beside-service' : 'serve';
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
            // A server that starts at the same time, as after a power cut, gets half a minute.
            retryAttempts: 30,
            retryDelay: 1_000,
            toRetry: (fault: Error) => fault instanceof ServerStarting,
          }),
          dataSourceFactory: (options) =>
            openDataSource(options!, { logger: (options!.logger as TypeOrmLog).logger, purpose }),
        }),
      ],
      providers: [
        {
          provide: Database,
          inject: [getDataSourceToken(), SETTINGS, LOGGER],
          useFactory: async (dataSource: OpenDataSource, { database }: Settings, logger: Logger) => {
            const opened = await openDatabase(dataSource, database, logger);
            opened.writes.onRecovery = () => logger.info('The database accepts writes again.');
            opened.onListenerFault = (err) =>
              logger.error({ err }, 'A listener failed after a commit; the change is stored.');
            // Plain repositories use the reader: on SQLite, their writes would join the transaction of another request.
            dataSource.createQueryRunner = () => opened.reader.manager.queryRunner!;
            return opened;
          },
        },
      ],
      exports: [Database],
    };
  }
}

/** Writes TypeORM's messages about failed migrations to the service's log, and no other ones. */
export class TypeOrmLog extends AbstractLogger {
  constructor(readonly logger: Logger) {
    super();
  }

  /** Is told which migration has failed. It may be tried again; the last failure ends the start, which logs it. */
  override logMigration(message: string): void {
    this.logger.warn(message);
  }

  // DatabaseFault reports failed statements, without their values.
  protected writeLog(): void {}
}
