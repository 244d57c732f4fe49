import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toCollection } from '../scripts/write-collection.js';
import { startBuiltService, storePosts } from './support/running-service.js';

interface Entry {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly header: readonly Entry[];
    readonly body?: { readonly raw: string };
    readonly url: { readonly raw: string; readonly variable: readonly Entry[] };
  };
}

const ROOT = join(import.meta.dirname, '..');
const collection = readJson<{ item: readonly { item: readonly Item[] }[] }>(
  'docs/posts.postman_collection.json',
);
const items = collection.item.flatMap(({ item }) => item);

function readJson<Value>(path: string): Value {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Value;
}

describe('docs/posts.postman_collection.json', () => {
  let baseUrl: string;

  beforeAll(async () => {
    baseUrl = await startBuiltService();
    await storePosts(baseUrl, 10);
  });

  it('is made from openapi.json; `npm run openapi` writes it', () => {
    expect(collection).toEqual(toCollection(readJson('openapi.json')));
  });

  // What needs a post to be named, in the query or the body, is sent without one.
  const unnamed = ['PUT {{baseUrl}}/posts/', 'DELETE {{baseUrl}}/posts/'];

  it.each(items)('has "$name", which works as it is', async ({ request: { method, header, body, url } }) => {
    const target = url.variable.reduce((path, { key, value }) => path.replace(`:${key}`, value), url.raw);
    const headers = header
      .filter(({ disabled }) => !disabled)
      .map(({ key, value }): [string, string] => [key, value]);
    const request = { method, headers, ...(body && { body: body.raw }) };
    const answer = await fetch(target.replace('{{baseUrl}}', baseUrl), request);
    expect(answer.status).toBeLessThan(unnamed.includes(`${method} ${url.raw}`) ? 401 : 300);
  });
});
