import 'reflect-metadata';
import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { existsSync } from 'node:fs';
import { GlobalsModule } from '../bootstrap/globals.module.js';
import { DatabaseModule } from '../database/index.js';
import { createLogger } from '../logging/logger.js';
import { loadSettings } from '../settings/load-settings.js';
import { type Environment, type Settings, StartFault } from '../settings/settings.js';

@Module({})
class CommandModule {}

/**
 * Runs a command with the parts of the service that it needs, without those that handle requests.
 *
 * @param modules the modules of the service that the command needs
 * @param options with `isBesideService`, a service may have the SQLite file open meanwhile
 * @throws StartFault when a service runs on the SQLite file, and the command cannot run beside it
 */
export async function withContext<Result>(
  settings: Settings,
  modules: readonly Type[],
  work: (context: INestApplicationContext) => Promise<Result>,
  options: { readonly isBesideService?: boolean } = {},
): Promise<Result> {
  const logger = createLogger({ ...settings, logLevel: 'silent' });
  const globals = GlobalsModule.of(settings, logger, DatabaseModule.forRoot(options));
  const context = await NestFactory.createApplicationContext(
    { module: CommandModule, imports: [globals, ...modules] },
    { logger: false, abortOnError: false },
  );
  try {
    return await work(context);
  } finally {
    await context.close();
  }
}

/**
 * @param overrides settings of the command line
 * @throws StartFault when the SQLite file of the settings does not exist; opening it would create it
 */
export function settingsOfExisting(overrides: Environment): Settings {
  const settings = loadSettings(overrides);
  const { database } = settings;
  if (database.kind === 'sqlite' && !existsSync(database.path))
    throw new StartFault(`There is no database at ${database.path}.`);
  return settings;
}

/** Writes a line of a command's output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
