import { Injectable } from '@nestjs/common';
import { CompiledQuery } from '../../database/compiled-query.js';
import { Database } from '../../database/database.js';

/** The databases report their size by SQL functions, which no entity covers. */
const SIZES = {
  sqlite: CompiledQuery.fromText(
    'SELECT page_count * page_size AS "bytes" FROM pragma_page_count(), pragma_page_size()',
  ),
  postgres: CompiledQuery.fromText('SELECT pg_database_size(current_database()) AS "bytes"'),
};

export interface DatabaseFacts {
  readonly kind: 'sqlite' | 'postgres';
  readonly bytes: number;
}

/** Queries facts about the database as a whole. */
@Injectable()
export class DatabaseFactsRepository {
  constructor(private readonly database: Database) {}

  async find(): Promise<DatabaseFacts> {
    const { name } = this.database.dialect;
    const [row] = await this.database.reader.all<{ bytes: number }>(SIZES[name]);
    return { kind: name, bytes: row!.bytes };
  }
}
