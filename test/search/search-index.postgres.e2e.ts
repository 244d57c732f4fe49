import { Database } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';
import type { PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();
const { reader } = service.app.get(Database);

describe('a post of many words', () => {
  it('is in its index at once: for words that wait, PostgreSQL would read those of all such posts', async () => {
    const words = Array.from({ length: 4_000 }, (_, index) => `parted${index}`).join(' ');
    const { id } = await service.create({ title: 'long', body: words });
    const parts = await reader.all(
      sql<{ part: number }>`SELECT part FROM posts_search WHERE post_id = ${':id'} AND part > 0`,
      { id },
    );
    expect(parts.length).toBeGreaterThan(1);
    // How many pages of words waited. Without `fastupdate = off`, all of them do.
    const waiting = await reader.all(
      sql<{ pages: number }>`SELECT gin_clean_pending_list('posts_search_parts_by_word') AS pages`,
    );
    expect(waiting).toEqual([{ pages: 0 }]);
    const found = await service.get('/posts/?search=parted7+parted3999');
    expect(found.json<PostJson[]>().map((post) => post.id)).toEqual([id]);
  });

  it('is counted once, also where version 1.1 has written its words beside those in parts', async () => {
    const words = Array.from({ length: 4_000 }, (_, index) => `beside${index}`).join(' ');
    const { id } = await service.create({ title: 'long', body: words });
    await service.database.execute(
      `UPDATE posts_search SET words = array_to_tsvector(ARRAY['beside7']) WHERE post_id = ${id} AND part = 0`,
    );
    const found = await service.get('/posts/?search=beside7', { Prefer: 'count=exact' });
    expect(found.headers['x-total-count']).toBe('1');
    expect(found.json<PostJson[]>().map((post) => post.id)).toEqual([id]);
  });
});
