import { jest } from '@jest/globals';
import { PostPagesRepository } from '../../src/posts/lists/post-pages.repository.js';
import { SearchIndexRepository } from '../../src/search/search-index.repository.js';
import { startAdminService } from '../support/admin.js';
import { freshDatabase } from '../support/database.js';
import type { HttpResponse } from '../support/http-client.js';
import type { PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

const { service, admin, asAdmin } = await startAdminService();

async function find(query: string): Promise<PostJson[]> {
  return (await service.get(`/posts/?${query}`)).json();
}

const titlesIn = (page: HttpResponse): string[] => page.json<{ title: string }[]>().map(({ title }) => title);

describe('a search', () => {
  it('finds a restored post again, once', async () => {
    const post = await service.create({ body: 'findable once more' });
    await service.delete(post.path);
    expect(await find('search=findable')).toEqual([]);
    await admin.send('POST', 'restorations/', { ids: [post.id] });
    expect(await find('search=findable')).toEqual([post]);
  });

  it('finds the text of a change that was made while a rebuild of the index had read the one before', async () => {
    const { id, path } = await service.create({ title: 'rebuilt', body: 'erewhile' });
    const pages = service.app.get(PostPagesRepository);
    const read = pages.find.bind(pages);
    const spy = jest.spyOn(pages, 'find').mockImplementationOnce(async (...wanted) => {
      const found = await read(...wanted);
      await service.put(path, { title: 'rebuilt', body: 'afterwards' });
      return found;
    });
    await service.app.get(SearchIndexRepository).rebuild();
    spy.mockRestore();
    expect((await find('search=afterwards')).map((post) => post.id)).toEqual([id]);
    // Few posts are found without the index, which counts them.
    const counted = async (word: string) =>
      (await service.get(`/posts/?search=${word}`, { Prefer: 'count=exact' })).headers['x-total-count'];
    expect([await counted('afterwards'), await counted('erewhile')]).toEqual(['1', '0']);
  });

  it('finds posts by the text that an import has replaced', async () => {
    const post = await service.create({ title: 'one' });
    const line = JSON.stringify({ id: post.id, title: 'ONE', body: 'replaced in bulk' });
    const headers = { Prefer: 'resolution=merge-duplicates' };
    expect((await service.import(line, headers)).json()).toMatchObject({ replaced: 1 });
    expect((await find('search=ONE%20bulk')).map(({ id }) => id)).toEqual([post.id]);
  });

  it('finds those posts that were changed since a time', async () => {
    const [old, other] = await service.createAll([{ title: 'tern 1' }, { title: 'tern 2' }]);
    const date = new Date(Date.now() + 1).toISOString();
    await until(() => Date.now() > Date.parse(date));
    await service.put(`/posts/${other!.id}/`, { title: 'tern 3', body: '' });
    const since = `search=tern&modified_after=${encodeURIComponent(date)}`;
    expect((await find(since)).map(({ id }) => id)).toEqual([other!.id]);
    expect((await find('search=tern&ordering=id')).map(({ id }) => id)).toEqual([old!.id, other!.id]);
  });

  it('finds deleted posts by their titles, in pages', async () => {
    const titles = ['Wörter im Titel', 'Ein anderer Titel', 'worten'];
    const posts = await service.createAll(titles.map((title) => ({ title })));
    for (const { id } of posts) await service.delete(`/posts/${id}/`);
    expect(titlesIn(await admin.get('deleted-posts/?search=wort'))).toEqual(['worten', 'Wörter im Titel']);
    const first = await admin.get('deleted-posts/?search=titel&limit=1');
    const second = await service.get(first.links['next']!, asAdmin);
    const back = await service.get(second.links['prev']!, asAdmin);
    expect([first, second, back].map(titlesIn)).toEqual([
      ['Ein anderer Titel'],
      ['Wörter im Titel'],
      ['Ein anderer Titel'],
    ]);
    await admin.send('POST', 'restorations/', { ids: [posts[2]!.id] });
    expect(titlesIn(await admin.get('deleted-posts/?search=worten'))).toEqual([]);
  });

  it('selects the posts that are deleted, counted and purged', async () => {
    await service.createAll(['heron 1', 'heron 2', 'green'].map((title) => ({ title })));
    const change = async (name: string, count: number) =>
      (await admin.send('POST', `${name}/?search=heron`, { count })).status;
    expect([await change('bulk-deletions', 3), await change('bulk-deletions', 2)]).toEqual([409, 200]);
    expect([(await find('search=heron')).length, (await find('search=green')).length]).toEqual([0, 1]);
    const countDeleted = async () => (await admin.get('deleted-posts/count/?search=heron')).json();
    expect(await countDeleted()).toEqual({ count: 2 });
    expect([await change('purges', 1), await change('purges', 2)]).toEqual([409, 200]);
    expect(await countDeleted()).toEqual({ count: 0 });
  });

  it('is named in the log of an export', async () => {
    await service.createAll([{ title: 'exported 1' }, { title: 'exported 2' }]);
    await admin.send('POST', 'exports/?search=exported', { format: 'csv' });
    const [entry] = (await admin.get('changes/?action=exported&limit=1')).json<{ detail: string }[]>();
    expect(entry).toMatchObject({ detail: 'CSV, 2 posts, search=exported' });
  });

  it.each([
    ['%F0%9F%98%80'.repeat(201), { code: 'too_long', limit: 200 }, /200 characters/],
    ['a%00', { code: 'null_character' }, /^The value must not contain U\+0000/],
    ['', { code: 'blank' }, /needs a value/],
    ['%', { code: 'not_utf8' }, /not percent-encoded UTF-8/],
  ])('is refused with a code and the allowed values: %s', async (search, fault, detail) => {
    const { status, errors } = (await service.get(`/posts/?search=${search}`)).problem;
    expect(status).toBe(400);
    expect(errors).toEqual([{ detail: expect.stringMatching(detail), ...fault, parameter: 'search' }]);
  });
});

describe('the index of an older version', () => {
  it('is rebuilt at the start of the service, which shows in its metrics', async () => {
    const database = await freshDatabase();
    const older = await startService({ DATABASE_URL: database.url });
    await older.create({ title: 'Grüße', body: 'newer words' });
    await older.stop();
    await database.execute(
      `DELETE FROM posts_search; UPDATE posts_state SET search_version = '2 (Unicode 17.0)'`,
    );
    const upgraded = await startService({ DATABASE_URL: database.url });
    await until(async () => (await upgraded.count('search=newer')) === 1);
    expect((await upgraded.get('/metrics')).text).toMatch(/^posts_search_index_building [01]$/m);
    await upgraded.stop();
    await database.remove();
  });
});
