import { type DynamicModule, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { SETTINGS } from '../settings/settings.module.js';
import type { Settings } from '../settings/settings.js';
import { readerOptions, writerOptions } from './data-source-options.js';
import { Database } from './database.js';
import { migrate } from './migrate.js';
import { SqliteDataSource } from './sqlite/sqlite-data-source.js';
import { SqliteDatabase } from './sqlite/sqlite-database.js';

const READER = 'reader';

/** Opens the database, brings its schema up to date and offers it as {@link Database}. */
@Module({})
export class DatabaseModule {
  static forRoot(): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [SETTINGS],
          useFactory: ({ database }: Settings) => ({ ...writerOptions(database), autoLoadEntities: true, retryAttempts: 0 }),
          dataSourceFactory: openWriter,
        }),
        TypeOrmModule.forRootAsync({
          name: READER,
          // The writer comes first: it makes the file and its tables.
          inject: [SETTINGS, getDataSourceToken()],
          useFactory: ({ database }: Settings) => ({ ...readerOptions(database), retryAttempts: 0 }),
          dataSourceFactory: openReader,
        }),
      ],
      providers: [
        {
          provide: Database,
          inject: [getDataSourceToken(), getDataSourceToken(READER)],
          useFactory: (writer: SqliteDataSource, reader: SqliteDataSource) => new SqliteDatabase(writer, reader),
        },
      ],
      exports: [Database],
    };
  }
}

async function openWriter(options?: DataSourceOptions): Promise<DataSource> {
  const dataSource = await new SqliteDataSource(options!).initialize();
  // FULL: a commit is on the disk before it is acknowledged. (WAL's default would be enough for consistency alone.)
  await dataSource.sqlite.execute('PRAGMA synchronous = FULL');
  await migrate(dataSource);
  return dataSource;
}

async function openReader(options?: DataSourceOptions): Promise<DataSource> {
  const dataSource = await new SqliteDataSource(options!).initialize();
  await dataSource.sqlite.execute('PRAGMA query_only = ON');
  return dataSource;
}
