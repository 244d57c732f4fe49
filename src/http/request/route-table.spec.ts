import { allowedMethods, pathOf, type Route, type RouteOperation, RouteTable } from './route-table.js';

const operation = {} as RouteOperation;
const route = (name: string, path: string, operations: Route['operations'] = { GET: operation }): Route => ({
  name,
  path,
  operations,
});

const table = new RouteTable([
  { ...route('files', '/docs/*'), except: ['api'] },
  route('root', '/'),
  route('list', '/posts/', { GET: operation, POST: operation, DELETE: operation }),
  route('one', '/posts/{id}/'),
  route('part', '/posts/{id}/parts/{part}/'),
  route('docs', '/docs/'),
  route('document', '/open(api).json'),
  route('live', '/health/live'),
  route('writes', '/writes', { PUT: operation }),
]);

describe('RouteTable', () => {
  it.each<[string, string, Record<string, string>]>([
    ['/', 'root', {}],
    ['/posts/', 'list', {}],
    ['/posts/7/', 'one', { id: '7' }],
    ['/posts/a.b~c/', 'one', { id: 'a.b~c' }],
    ['/posts/7/parts/x/', 'part', { id: '7', part: 'x' }],
    ['/docs/', 'docs', {}],
    ['/docs/apis', 'files', {}],
    ['/docs/a/b.css', 'files', {}],
    ['/open(api).json', 'document', {}],
    ['/health/live', 'live', {}],
  ])('finds %s', (path, name, parameters) => {
    const found = table.find(path);
    expect(found?.route.name).toBe(name);
    expect({ ...found?.parameters }).toEqual(parameters);
    expect(found?.canonicalPath).toBeUndefined();
  });

  it.each([
    ['', 'root', '/'],
    ['/posts', 'list', '/posts/'],
    ['/posts/7', 'one', '/posts/7/'],
    ['/posts/7/parts/x', 'part', '/posts/7/parts/x/'],
  ])('finds the route and the canonical path of "%s"', (path, name, canonicalPath) => {
    expect(table.find(path)).toMatchObject({ route: { name }, canonicalPath });
  });

  it.each([
    '/posts//',
    '/posts/7//',
    '/%70osts/',
    '/posts/7/8/',
    '/POSTS/',
    '/health/live/',
    '/open(api)xjson',
    '/constructor',
    '__proto__',
    '/posts/7/\n',
    '/docs/api',
  ])('does not find %j', (path) => {
    expect(table.find(path)).toBeUndefined();
  });
});

describe('RouteTable.pathOf', () => {
  it('fills in the parameters of a named route', () => {
    expect(table.pathOf('one', { id: 7 })).toBe('/posts/7/');
    expect(table.pathOf('list')).toBe('/posts/');
  });

  it('refuses a second path of a name', () => {
    expect(() => new RouteTable([route('a', '/a/'), route('a', '/b/')])).toThrow(
      '/a/ and /b/ have the same name',
    );
  });

  it('throws where no route has the name', () => {
    expect(() => table.pathOf('cats')).toThrow('No route has the name cats.');
  });
});

describe('allowedMethods', () => {
  it('adds HEAD to GET, and always adds OPTIONS', () => {
    expect(allowedMethods(route('a', '/', { GET: operation }))).toEqual(['GET', 'HEAD', 'OPTIONS']);
    expect(allowedMethods(route('a', '/', { PUT: operation }))).toEqual(['PUT', 'OPTIONS']);
    expect(allowedMethods(route('a', '/', {}))).toEqual(['OPTIONS']);
  });
});

describe('pathOf', () => {
  it('fills in the parameters, percent-encoded', () => {
    expect(pathOf(route('one', '/posts/{id}/'), { id: 7 })).toBe('/posts/7/');
    expect(pathOf(route('two', '/a/{x}/{y}/'), { x: 'b/c', y: 'é?' })).toBe('/a/b%2Fc/%C3%A9%3F/');
    expect(pathOf(route('list', '/posts/'))).toBe('/posts/');
  });
});
