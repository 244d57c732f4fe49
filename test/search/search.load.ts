import { SearchIndexRepository } from '../../src/search/search-index.repository.js';
import type { PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

async function find(search: string, rest = ''): Promise<PostJson[]> {
  const response = await service.get(`/posts/?search=${encodeURIComponent(search)}${rest}`);
  expect(response.status).toBe(200);
  return response.json<PostJson[]>();
}

describe('GET /posts/?search=', () => {
  it('finds words in the first 1,048,576 characters of a long text, and none behind them', async () => {
    const words = Array.from({ length: 150_000 }, (_, index) => `v${index.toString(36)}`).join(' ');
    const searched = `${words.padEnd(1_048_576 - 6)} finis`;
    const { id } = await service.create({ title: 'long', body: `${searched} beyond` });
    expect((await find('v0 finis')).map((post) => post.id)).toEqual([id]);
    expect(await find('v0 beyond')).toEqual([]);
  });

  it('follows replacements and deletions that are made while the index is rebuilt', async () => {
    const large = (word: string): string => `${word} ${'ä '.repeat(150_000)}`;
    const [other] = await service.createAll([{ title: 'other', body: '東京' }]);
    const made = [];
    for (let index = 0; index < 6; index++)
      made.push(await service.create({ body: large(`vorher${index}`) }));
    const isRebuilt = service.app.get(SearchIndexRepository).rebuild(() => undefined);
    const changes = made.map(({ path }, index) =>
      index % 2 === 0
        ? service.delete(path)
        : service.put(path, { title: 'large', body: large(`nachher${index}`) }),
    );
    const responses = await Promise.all(changes);
    expect(responses.map(({ status }) => status)).toEqual([204, 200, 204, 200, 204, 200]);
    await isRebuilt;
    expect(await find('東京')).toEqual([other]);
    expect(await find('vorher')).toEqual([]);
    const found = await find('nachher', '&ordering=id');
    expect(found.map(({ id }) => id)).toEqual([made[1]!.id, made[3]!.id, made[5]!.id]);
  });
});
