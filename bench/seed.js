/** Fills a SQLite file with posts that look alike but are not: `node seed.js FILE COUNT`. The tables must exist. */
import Database from 'better-sqlite3';

const [file, count] = [process.argv[2], Number(process.argv[3])];
const database = new Database(file);
database.pragma('journal_mode = WAL');
const insert = database.prepare('INSERT INTO posts (title, pub_date, body) VALUES (?, ?, ?)');
const start = Date.UTC(2020, 0, 1);
database.transaction(() => {
  for (let i = 1; i <= count; i++) {
    const date = new Date(start + i * 60_000).toISOString().replace('Z', '000Z');
    insert.run(
      `Post number ${i}`,
      date,
      `The body of post ${i}. `.padEnd(300, 'lorem ipsum dolor sit amet '),
    );
  }
})();
database.pragma('wal_checkpoint(TRUNCATE)');
database.close();
