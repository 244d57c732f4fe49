import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writerOptions } from '../data-source-options.js';
import { SqliteDataSource } from './sqlite-data-source.js';
import { WalIndex } from './write-ahead-log.js';

let folder: string;
let path: string;
let dataSource: SqliteDataSource;
let walIndex: WalIndex;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posts-service-'));
  path = join(folder, 'words.sqlite');
  dataSource = await new SqliteDataSource(writerOptions({ kind: 'sqlite', path })).initialize();
  await dataSource.sqlite.execute('CREATE TABLE words (word text)');
  walIndex = new WalIndex(path);
});
afterEach(async () => {
  await dataSource.destroy();
  walIndex.close();
  await rm(folder, { recursive: true });
});

describe('WalIndex', () => {
  it('does not change without a commit', async () => {
    const before = walIndex.read();
    expect(before).toEqual(expect.any(Number));
    await dataSource.query('SELECT * FROM words');
    await dataSource.sqlite.execute('BEGIN IMMEDIATE');
    await dataSource.query(`INSERT INTO words VALUES ('taken back')`);
    await dataSource.sqlite.execute('ROLLBACK');
    expect(walIndex.read()).toBe(before);
  });

  it('changes after every commit, also when the log restarts', async () => {
    const seen = new Set([walIndex.read()]);
    for (let i = 0; i < 20; i++) {
      await dataSource.query(`INSERT INTO words VALUES ('same')`);
      if (i % 5 === 0) await dataSource.query('PRAGMA wal_checkpoint(TRUNCATE)');
      seen.add(walIndex.read());
    }
    expect(seen.size).toBe(21);
  });

  it('notices the commit of another process', () => {
    const before = walIndex.read();
    const script = `
      const sqlite3 = require(${JSON.stringify(createRequire(import.meta.url).resolve('sqlite3'))});
      const database = new sqlite3.Database(${JSON.stringify(path)});
      database.run("INSERT INTO words VALUES ('from elsewhere')", (error) => { if (error) throw error; });
    `;
    const { status, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(walIndex.read()).not.toBe(before);
  });

  it('counts the pages of the log', async () => {
    const before = walIndex.logPages;
    expect(before).toBeGreaterThan(0);
    await dataSource.query(`INSERT INTO words VALUES ('one more')`);
    expect(walIndex.logPages).toBe(before + 1);
    await dataSource.query('PRAGMA wal_checkpoint(TRUNCATE)');
    await dataSource.query(`INSERT INTO words VALUES ('the first')`);
    expect(walIndex.logPages).toBe(1);
  });
});
