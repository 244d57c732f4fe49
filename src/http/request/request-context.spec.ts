import type { Request } from 'express';
import { RequestContext } from './request-context.js';
import { RouteTable } from './route-table.js';

const contextOf = (url: string, id?: string | string[]) =>
  new RequestContext(
    { url, method: 'GET', headers: { 'x-request-id': id } } as unknown as Request,
    new RouteTable([]),
    { name: undefined, baseUrl: '' },
  );

describe('RequestContext', () => {
  it.each([
    ['/a?b=c?d/e', '/a', 'b=c?d/e'],
    ['*', '*', ''],
    ['http://host/a', 'http://host/a', ''],
    ['/a/http://host/b', '/a/http://host/b', ''],
    ['/a"<>\\^`{|}', '/a%22%3C%3E%5C%5E%60%7B%7C%7D', ''],
    ['/\u00c3\u00a9?\u00c3\u00a9', '/%C3%A9', '%C3%A9'],
    ['/%4?a=%4', '/%254', 'a=%4'],
  ])('splits %s into path and query', (url, fullPath, query) => {
    expect(contextOf(url)).toMatchObject({ fullPath, query });
  });

  it.each(['A-z_0.9~:=+/@', 'x'.repeat(128)])('keeps the id %s', (id) => {
    expect(contextOf('/', id).id).toBe(id);
  });

  it.each([undefined, '', 'a b', 'x'.repeat(129), 'é', ['a', 'b']])('replaces %j by a new id', (id) => {
    expect(contextOf('/', id).id).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
  });
});
