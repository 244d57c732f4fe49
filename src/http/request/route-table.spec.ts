import { allowedMethods, type Route, type RouteOperation, RouteTable } from './route-table.js';

const operation = { needs: 'token' } as RouteOperation;
const route = (name: string, path: string, operations: Route['operations'] = { GET: operation }): Route => ({
  name,
  path,
  operations,
});

const table = new RouteTable([
  { ...route('files', '/docs/*'), except: ['api'] },
  route('root', '/'),
  route('list', '/posts/'),
  route('part', '/posts/{id}/parts/{part}/'),
  route('docs', '/docs/'),
  route('document', '/open(api).json'),
]);

describe('RouteTable', () => {
  it.each<[string, string, Record<string, string>, string?]>([
    ['/', 'root', {}],
    ['', 'root', {}, '/'],
    ['/posts', 'list', {}, '/posts/'],
    ['/posts/7/parts/a.b~c/', 'part', { id: '7', part: 'a.b~c' }],
    ['/posts/7/parts/x', 'part', { id: '7', part: 'x' }, '/posts/7/parts/x/'],
    ['/docs/', 'docs', {}],
    ['/docs/apis', 'files', {}],
    ['/docs/a/b.css', 'files', {}],
    ['/open(api).json', 'document', {}],
  ])('finds %s', (...[path, name, parameters, canonicalPath]) => {
    const found = table.find(path);
    expect({ ...found?.parameters }).toEqual(parameters);
    expect([found?.route.name, found?.canonicalPath]).toEqual([name, canonicalPath]);
  });

  it('does not find other paths', () => {
    const similar = ['/posts//', '/%70osts/', '/posts/7/parts/8/9/', '/POSTS/', '/posts/7/parts/8/\n'];
    for (const path of [...similar, '/docs/api', '/open(api).json/', '/open(api)xjson', '/constructor'])
      expect([path, table.find(path)]).toEqual([path, undefined]);
  });

  it('fills in the parameters of a named route, percent-encoded', () => {
    expect(table.pathOf('part', { id: 7, part: 'b/é?' })).toBe('/posts/7/parts/b%2F%C3%A9%3F/');
    expect(table.pathOf('list')).toBe('/posts/');
    expect(() => table.pathOf('cats')).toThrow('No route has the name cats.');
  });

  it('refuses a second path of a name', () => {
    const same = [route('a', '/a/'), route('a', '/b/')];
    expect(() => new RouteTable(same)).toThrow('/a/ and /b/ have the same name');
  });
});

describe('allowedMethods', () => {
  it('adds HEAD to GET, and always adds OPTIONS', () => {
    expect(allowedMethods(route('a', '/'))).toEqual(['GET', 'HEAD', 'OPTIONS']);
    expect(allowedMethods(route('a', '/', { PUT: operation }))).toEqual(['PUT', 'OPTIONS']);
  });
});
