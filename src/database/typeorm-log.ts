import type { Logger } from 'pino';
import type { Logger as TypeOrmLogger } from 'typeorm';

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
