import { type Route, RouteTable } from './route-table.js';

const route = (name: string, path: string): Route => ({ name, path, methods: {} });

// test/http/routing.http.e2e.ts has the forms of a path.
describe('RouteTable', () => {
  const table = new RouteTable([route('part', '/posts/{id}/parts/{part}/')]);

  it('fills in the parameters of a named route, percent-encoded', () => {
    expect(table.pathOf('part', { id: 7, part: 'b/é?' })).toBe('/posts/7/parts/b%2F%C3%A9%3F/');
    expect(() => table.pathOf('cats')).toThrow('No route has the name cats.');
  });

  it('refuses a second path of a name', () => {
    const same = [route('a', '/a/'), route('a', '/b/')];
    expect(() => new RouteTable(same)).toThrow('/a/ and /b/ have the same name');
  });
});
