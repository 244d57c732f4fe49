import { Inject, Injectable } from '@nestjs/common';
import { stat } from 'node:fs/promises';
import { Database, lastBackup, sql } from '../database/index.js';
import { SETTINGS, type Settings } from '../settings/settings.js';

const POSTGRES_SIZE = sql<{ bytes: number }>`SELECT pg_database_size(current_database()) AS "bytes"`;

/** backup-postgres.sh notes its time as a comment, for which it needs no table of its own. */
const POSTGRES_BACKUP = sql<{ at: number | null }>`
  SELECT extract(epoch FROM substring(obj_description('migrations'::regclass, 'pg_class') FROM 'Last backup: (.*)')::timestamptz)::float8 AS at
`;

/** Reads how large the database is, and when it was last backed up. */
@Injectable()
export class DatabaseStateService {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @returns bytes; nothing while the database does not respond */
  async sizes(): Promise<Record<string, number>> {
    const { database } = this.settings;
    if (database.kind === 'sqlite')
      return { database: await sizeOf(database.path), wal: await sizeOf(`${database.path}-wal`) };
    const [row] = await this.database.reader.all(POSTGRES_SIZE).catch(() => []);
    return row ? { database: row.bytes } : {};
  }

  /** @returns seconds since 1970; 0 when there was no backup */
  async lastBackup(): Promise<number> {
    const { database } = this.settings;
    if (database.kind === 'sqlite') return (await lastBackup(database.path)) / 1_000;
    const [row] = await this.database.reader.all(POSTGRES_BACKUP).catch(() => []);
    return row?.at ?? 0;
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}
