/**
 * What the peers of the same work share. Each write stores what a write of the service stores, in one transaction: the
 * post with its version and the time of its change, in the indexes of all orders of a list; the replaced content as a
 * revision; the words in a full-text index; and the counters of the collection.
 *
 * They do less: the words are folded more simply, nothing looks whether the author may still write, a retry has no
 * Idempotency-Key, no cached response is given up, and the responses lack the headers and the entity tags of the service.
 */

const fields = 'id, title, pub_date, body';
export const SAME_WORK = {
  byId: `SELECT ${fields}, version FROM posts WHERE id = ?`,
  insert: `INSERT INTO posts (title, pub_date, body, modified) VALUES (?, ?, ?, ?) RETURNING ${fields}`,
  update: `
    UPDATE posts SET title = ?, pub_date = coalesce(?, pub_date), body = ?, modified = ?, version = version + 1
    WHERE id = ? AND version = ? RETURNING ${fields}`,
  record: `
    INSERT INTO revisions (post_id, number, action, at, address, old_title, old_pub_date, old_body)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
};

/** The words of a text, as simply as one would write it by hand. */
export function wordsOf(title, body) {
  const words = `${title} ${body}`
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return [...new Set(words)].join(' ');
}

/** The current time in the form of the stored dates. */
export function now() {
  return `${new Date().toISOString().slice(0, -1)}000Z`;
}
