/** The table, the pragmas and the posts that all peers share. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS posts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    pub_date TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS posts_by_pub_date ON posts (pub_date, id);
`;

export const port = Number(process.env.PORT);
export const file = process.env.DATABASE_FILE;

/** The JSON Schemas of the Fastify peers. */
export const newPost = {
  type: 'object',
  required: ['title', 'body'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 200 },
    body: { type: 'string' },
    pub_date: { type: 'string', format: 'date-time' },
  },
};
export const post = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    pub_date: { type: 'string' },
    body: { type: 'string' },
  },
};

/** Opens the file with better-sqlite3 and the same durability as the service: a commit returns once it is on disk. */
export async function openPosts() {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(SCHEMA);
  return {
    byId: database.prepare('SELECT id, title, pub_date, body FROM posts WHERE id = ?'),
    list: database.prepare(
      'SELECT id, title, pub_date, body FROM posts ORDER BY pub_date DESC, id DESC LIMIT ?',
    ),
    insert: database.prepare('INSERT INTO posts (title, pub_date, body) VALUES (?, ?, ?)'),
    update: database.prepare(
      'UPDATE posts SET title = ?, pub_date = coalesce(?, pub_date), body = ? WHERE id = ?',
    ),
  };
}
