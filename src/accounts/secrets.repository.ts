import { Injectable } from '@nestjs/common';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database } from '../database/database.js';

const FIND = CompiledQuery.fromText(`SELECT "value" FROM "secrets" WHERE "name" = :name`);
const INSERT = CompiledQuery.fromText(
  `INSERT INTO "secrets" ("name", "value") VALUES (:name, :value) ON CONFLICT ("name") DO NOTHING`,
);

/** The one place that builds queries on secrets. */
@Injectable()
export class SecretsRepository {
  constructor(private readonly database: Database) {}

  /** The secret of that name; `made` becomes it when there is none yet. Of several who ask at once all get the same. */
  async findOrKeep(name: string, made: string): Promise<string> {
    const [found] = await this.database.reader.all<{ value: string }>(FIND, { name });
    if (found) return found.value;
    return this.database.write(async (transaction) => {
      await transaction.all(INSERT, { name, value: made });
      const [kept] = await transaction.all<{ value: string }>(FIND, { name });
      return kept!.value;
    });
  }
}
