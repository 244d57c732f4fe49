import { setTimeout as sleep } from 'node:timers/promises';
import { queryOnce } from './support/postgres-server.js';
import { aPost } from './support/posts.js';
import { startService } from './support/service.js';

const service = await startService();

it('has the words of new posts in their places in the index soon, and finds them', async () => {
  const bodies = Array.from({ length: 50 }, (_, index) => `heron ${index}`);
  await Promise.all(bodies.map((body) => service.post(aPost({ body }))));
  await sleep(2_000);
  const sorted = await queryOnce(
    service.database.url,
    `SELECT CAST(gin_clean_pending_list('posts_search_by_word') AS integer) AS pages`,
  );
  expect(sorted).toEqual([{ pages: 0 }]);
  expect((await service.get('/posts/?search=heron&limit=100')).json<unknown[]>()).toHaveLength(50);
});
