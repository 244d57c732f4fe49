import sqlite3 from 'sqlite3';
import type { DatabaseFault } from '../database-fault.js';
import { noteBackup } from './backup-mark.js';
import { hasContent, verifySqliteFile } from './inspect-sqlite-file.js';
import { lockSqliteFile } from './service-lock.js';
import { SqliteConnection } from './sqlite-connection.js';
import { cannotOpen, giveToOwner } from './sqlite-files.js';

/** A SQLite file as the commands use it that copy, check and replace it, most of them beside a running service. */
export class SqliteFile {
  constructor(readonly path: string) {}

  /** @returns false when the file is missing or empty @throws StartFault when there is, or can be, no such file */
  hasContent(): Promise<boolean> {
    return hasContent(this.path);
  }

  /**
   * Reads every page.
   *
   * @param shownPath the file's name in a fault
   * @returns the number of posts
   * @throws StartFault when the service cannot use the file
   */
  verify(shownPath: string): Promise<number> {
    return verifySqliteFile(this.path, shownPath);
  }

  /** Keeps services off the file. @returns what ends the lock @throws StartFault when a service has it open */
  async lock(): Promise<() => Promise<void>> {
    const lock = await lockSqliteFile(this.path);
    return () => lock.close();
  }

  /**
   * Writes one state of the database to a new file; reads and writes of a service go on meanwhile.
   *
   * @param shownPath the copy's name in a fault
   * @throws StartFault
   */
  async copyTo(copy: string, shownPath: string): Promise<void> {
    try {
      await this.#run('VACUUM INTO ?', [copy], sqlite3.OPEN_READONLY);
    } catch (fault) {
      const { message } = (fault as DatabaseFault).cause as Error;
      throw await cannotOpen(shownPath, fault, `${this.path} cannot be copied to ${shownPath}: ${message}.`);
    }
  }

  /** Notes the time of a backup, for the metrics of the service. */
  noteBackup(): Promise<void> {
    return noteBackup(this.path);
  }

  /** Copies the write-ahead log to the file, which then is the whole database. */
  checkpoint(): Promise<void> {
    return this.#run('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /** As {@link checkpoint}, and removes the log. Nothing else may have the file open. */
  removeLog(): Promise<void> {
    return this.#run('PRAGMA journal_mode = DELETE');
  }

  /**
   * Clients that keep a copy of the posts have seen changes that an older state does not have. From now on, a request for
   * the deletions since an earlier time gets 410 `deletions-expired`, which tells them to start over. All posts count as
   * changed at that time, too: such a client continues from the `Last-Modified` of the list.
   *
   * @param at the end of this second, in the form of dates: `Last-Modified` has whole seconds
   */
  async endCopies(at: string): Promise<void> {
    const connection = await SqliteConnection.open(this.path, sqlite3.OPEN_READWRITE);
    try {
      const columns = await connection.query<{ name: string }>(
        `SELECT name FROM pragma_table_info('posts_state')`,
      );
      // A backup of version 1.1 has no such column, and 1.1 no list of deletions.
      if (!columns.some(({ name }) => name === 'deletions_since')) return;
      await connection.query('UPDATE posts_state SET deletions_since = ?', [at]);
      await connection.query('UPDATE posts_counters SET modified = max(modified, ?)', [at]);
    } finally {
      await connection.close();
    }
  }

  /** Gives another file, which root has made, to the owner of this one, or else of its folder. */
  giveToOwner(path: string): Promise<void> {
    return giveToOwner(path, this.path);
  }

  async #run(
    statement: string,
    parameters: readonly string[] = [],
    mode = sqlite3.OPEN_READWRITE,
  ): Promise<void> {
    const connection = await SqliteConnection.open(this.path, mode);
    try {
      await connection.query(statement, parameters);
    } finally {
      await connection.close();
    }
  }
}
