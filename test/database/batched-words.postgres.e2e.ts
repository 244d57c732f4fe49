import { jest } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { queryOnce } from '../support/postgres-server.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

const service = await startService();

it('sorts the pending words of a new post into the index, and finds them', async () => {
  const write = jest.spyOn(service.app.get(Database), 'write');
  await service.create({ body: Array.from({ length: 500 }, (_, index) => `heron${index}`).join(' ') });
  const sort = 'gin_clean_pending_list';
  await until(async () => {
    const written = await Promise.all(write.mock.results.map(({ value }) => value as Promise<unknown>));
    return JSON.stringify(written).includes(sort);
  });
  const [{ pages }] = (await queryOnce(
    service.database.url,
    `SELECT CAST(${sort}('posts_search_by_word') AS integer) AS pages`,
  )) as [{ pages: number }];
  expect(pages).toBe(0);
  expect((await service.get('/posts/?search=heron7')).json<unknown[]>()).toHaveLength(1);
});
