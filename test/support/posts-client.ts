import { Agent } from 'node:http';
import { exchange, type HttpResponse, type RequestOptions } from './http-client.js';
import { aPost, type PostJson } from './posts.js';

type Headers = RequestOptions['headers'];

/** A stored post, with what later requests need. */
type StoredPost = PostJson & { readonly path: string; readonly etag: string };

/** Sends requests to a service, in this process or in another one. */
export abstract class PostsClient {
  protected readonly agent = new Agent({ keepAlive: true });
  /** The prefix of the posts. */
  readonly basePath: string = '';
  abstract readonly port: number;

  /** Sends a request unchanged. */
  request(method: string, target: string, options: RequestOptions = {}): Promise<HttpResponse> {
    return exchange(this.port, method, target, { agent: this.agent, ...options });
  }

  get(target: string, headers: Headers = {}): Promise<HttpResponse> {
    return this.request('GET', target, { headers });
  }

  post(json: unknown, headers: Headers = {}): Promise<HttpResponse> {
    return this.request('POST', `${this.basePath}/posts/`, { json, headers });
  }

  /** Imports lines of NDJSON. */
  import(body: string | Buffer, headers: Headers = {}): Promise<HttpResponse> {
    const type = { 'Content-Type': 'application/x-ndjson' };
    return this.request('POST', `${this.basePath}/posts/`, { headers: { ...type, ...headers }, body });
  }

  put(target: string, json: unknown, headers: Headers = {}): Promise<HttpResponse> {
    return this.request('PUT', target, { json, headers });
  }

  delete(target: string, headers: Headers = {}): Promise<HttpResponse> {
    return this.request('DELETE', target, { headers });
  }

  /** Creates a post. The test states only the fields that matter. */
  async create(overrides: Partial<PostJson> = {}): Promise<StoredPost> {
    const response = await this.post(aPost(overrides));
    expect(response.status).toBe(201);
    const post = response.json<PostJson>();
    // Not enumerable, so that the post equals its representation.
    return Object.defineProperties(post as StoredPost, {
      path: { value: `${this.basePath}/posts/${post.id}/` },
      etag: { value: response.etag },
    });
  }

  /** Creates posts one after another, so that their ids ascend. */
  async createAll(overrides: readonly Partial<PostJson>[]): Promise<StoredPost[]> {
    const posts: StoredPost[] = [];
    for (const each of overrides) posts.push(await this.create(each));
    return posts;
  }

  /** The posts that a query finds. */
  async find(query: string): Promise<PostJson[]> {
    return (await this.get(`${this.basePath}/posts/?${query}`)).json<PostJson[]>();
  }

  /** The number of posts that a query finds. */
  async count(query = ''): Promise<number> {
    const target = `${this.basePath}/posts/?limit=1&fields=id&${query}`;
    return Number((await this.get(target, { Prefer: 'count=exact' })).headers['x-total-count']);
  }
}
