import type { DataProvider as Refine } from '@refinedev/core';
import type { DataProvider as ReactAdmin } from 'ra-core';
import { postsDataProvider as reactAdminProvider } from './adapters/react-admin.js';
import { postsDataProvider as refineProvider } from './adapters/refine.js';
import { startBuiltService, storePosts } from './support/running-service.js';

let baseUrl: string;

beforeAll(async () => {
  baseUrl = await startBuiltService();
  await storePosts(baseUrl, 12);
});

describe("react-admin's data provider", () => {
  let provider: ReactAdmin;
  const sort = { field: 'id', order: 'DESC' } as const;

  beforeEach(() => {
    provider = reactAdminProvider(baseUrl);
  });

  it('reads a page of a list, and the total count', async () => {
    const pagination = { page: 2, perPage: 5 };
    const { data, total } = await provider.getList('posts', { pagination, sort, filter: {} });
    expect(data.map(({ title }) => title)).toEqual(['Post 7', 'Post 6', 'Post 5', 'Post 4', 'Post 3']);
    expect(total).toBe(12);
  });

  it('searches and filters', async () => {
    const pagination = { page: 1, perPage: 5 };
    const filter = { search: 'post 1', pub_date_after: '2026-01-01T00:10:00Z' };
    const { data, total } = await provider.getList('posts', { pagination, sort, filter });
    expect(data.map(({ title }) => title)).toEqual(['Post 12', 'Post 11']);
    expect(total).toBe(2);
  });

  it('gets several posts at once', async () => {
    const { data } = await provider.getMany('posts', { ids: [2, 4] });
    expect(new Set(data.map(({ id }) => id))).toEqual(new Set([2, 4]));
  });

  it('creates, reads, updates and deletes a post', async () => {
    const { data: created } = await provider.create('posts', { data: { title: 'New', body: '' } });
    const { data: read } = await provider.getOne('posts', { id: created.id });
    expect(read).toEqual(created);
    const data = { ...read, title: 'Changed' };
    const { data: updated } = await provider.update('posts', { id: read.id, data, previousData: read });
    expect(updated).toEqual(data);
    await provider.delete('posts', { id: read.id, previousData: updated });
    await expect(provider.getOne('posts', { id: read.id })).rejects.toMatchObject({ status: 404 });
  });

  it('gets 412 instead of overwriting a newer version of a post', async () => {
    const otherUser = reactAdminProvider(baseUrl);
    const { data: mine } = await provider.getOne('posts', { id: 1 });
    const { data: theirs } = await otherUser.getOne('posts', { id: 1 });
    const save = (who: ReactAdmin, body: string) =>
      who.update('posts', { id: 1, data: { ...mine, body }, previousData: theirs });
    await save(otherUser, 'Theirs');
    await expect(save(provider, 'Mine')).rejects.toMatchObject({ status: 412 });
  });

  it('shows each fault at its field', async () => {
    await expect(provider.create('posts', { data: { title: '', pub_date: 'now' } })).rejects.toMatchObject({
      status: 400,
      body: { errors: { title: expect.any(String), pub_date: expect.any(String), body: expect.any(String) } },
    });
  });

  it('deletes several posts', async () => {
    await storePosts(baseUrl, 2);
    const { data } = await provider.getList('posts', {
      pagination: { page: 1, perPage: 2 },
      sort,
      filter: {},
    });
    const ids = data.map(({ id }) => id);
    expect(await provider.deleteMany('posts', { ids })).toEqual({ data: ids });
    await expect(provider.getOne('posts', { id: ids[0] })).rejects.toMatchObject({ status: 404 });
  });
});

describe("Refine's data provider", () => {
  let provider: Refine;
  const resource = 'posts';

  beforeAll(() => {
    provider = refineProvider(baseUrl);
  });

  it('reads a page of a list, and the total count', async () => {
    const { data, total } = await provider.getList({
      resource,
      pagination: { currentPage: 2, pageSize: 5 },
      sorters: [{ field: 'id', order: 'asc' }],
    });
    expect(data.map(({ title }) => title)).toEqual(['Post 6', 'Post 7', 'Post 8', 'Post 9', 'Post 10']);
    expect(total).toBe(12);
  });

  it('searches and filters', async () => {
    const { data } = await provider.getList({
      resource,
      sorters: [{ field: 'pub_date', order: 'desc' }],
      filters: [
        { field: 'q', operator: 'eq', value: 'post 1' },
        { field: 'pub_date', operator: 'gte', value: '2026-01-01T00:10:00Z' },
      ],
    });
    expect(data.map(({ title }) => title)).toEqual(['Post 12', 'Post 11']);
  });

  it('gets several posts at once', async () => {
    const { data } = await provider.getMany!({ resource, ids: [2, 4] });
    expect(new Set(data.map(({ id }) => id))).toEqual(new Set([2, 4]));
  });

  it('creates, reads, updates and deletes a post', async () => {
    const { data: created } = await provider.create({ resource, variables: { title: 'New', body: '' } });
    const id = created.id!;
    const { data: read } = await provider.getOne({ resource, id });
    expect(read).toEqual(created);
    const { data: updated } = await provider.update({
      resource,
      id,
      variables: { ...read, title: 'Changed' },
    });
    expect(updated).toEqual({ ...read, title: 'Changed' });
    await provider.deleteOne({ resource, id });
    await expect(provider.getOne({ resource, id })).rejects.toMatchObject({ statusCode: 404 });
  });
});
