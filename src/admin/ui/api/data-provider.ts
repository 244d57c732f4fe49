import type { DataProvider, GetListParams } from 'react-admin';
import { api } from './client.js';
import { cursorsOf } from './cursors.js';
import type { Content, PostWithEtag } from './posts.js';
import { createPost, deletePost, readPost, replacePost } from './store-post.js';

type Parameters = Readonly<Record<string, string | number | undefined>>;

/** What a page of posts is asked with, beside react-admin's own parameters. */
export interface PostListMeta {
  readonly cursor?: string | undefined;
  readonly fields?: string | undefined;
}

interface Update {
  readonly id: number;
  readonly data: Content;
  readonly previousData: PostWithEtag;
}

/**
 * react-admin's way to the posts API. Posts alone go through it: what stands under `/admin/api/` is asked for with
 * `api` where it is shown. A record carries its ETag, and no save goes without it.
 */
export const dataProvider: DataProvider = {
  supportAbortSignal: true,

  async getList(_resource: string, params: GetListParams) {
    const { pagination, sort, filter, signal } = params;
    const meta = (params.meta ?? {}) as PostListMeta;
    const response = await api.send('posts/', {
      query: {
        ...(filter as Parameters),
        ordering: sort && `${sort.order === 'DESC' ? '-' : ''}${sort.field}`,
        limit: pagination?.perPage,
        cursor: meta.cursor,
        fields: meta.fields,
      },
      signal,
    });
    const cursors = cursorsOf(response.headers.get('Link'));
    return {
      data: await response.json(),
      pageInfo: { hasNextPage: cursors.next !== undefined, hasPreviousPage: cursors.prev !== undefined },
      meta: cursors,
    };
  },

  async getOne(_resource: string, { id, signal }: { id: number; signal?: AbortSignal }) {
    return { data: await readPost(id, signal) };
  },

  async getMany(_resource: string, { ids, signal }: { ids: number[]; signal?: AbortSignal }) {
    return { data: await api.json('posts/', { query: { id: ids.join(','), limit: ids.length }, signal }) };
  },

  async create(_resource: string, { data }: { data: Content }) {
    return { data: await createPost(data) };
  },

  async update(_resource: string, { id, data, previousData }: Update) {
    return { data: await replacePost(id, previousData.etag, data) };
  },

  async delete(_resource: string, { id, previousData }: Omit<Update, 'data'>) {
    await deletePost(id, previousData.etag);
    return { data: previousData };
  },

  getManyReference: unsupported,
  updateMany: unsupported,
  // Many posts are deleted with `/admin/api/bulk-deletions/`, which tells how far it is.
  deleteMany: unsupported,
} as unknown as DataProvider;

function unsupported(): Promise<never> {
  return Promise.reject(new Error('The posts API has no such request.'));
}
