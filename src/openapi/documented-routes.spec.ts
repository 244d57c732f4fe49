import type { Route, RouteOperation } from '../http/pipeline/route.js';
import { documentedRoutes } from './documented-routes.js';

const operations = (summary?: string): Route['operations'] => ({
  GET: { declaration: { name: 'x', ...(summary !== undefined && { summary }) } } as RouteOperation,
});
const route = (path: string, summary: string | undefined = 'Read it'): Route => ({
  name: path,
  path,
  operations: operations(summary),
});

describe('documentedRoutes', () => {
  const cats = route('/cats/');
  const sessions = route('/admin/api/sessions/');
  const routes = [
    cats,
    route('/admin/'),
    route('/admin/*'),
    sessions,
    route('/admin/api/*'),
    { ...route('/files/{name}'), operations: operations() },
  ];

  it('leaves what is the administration out of the public document', () => {
    expect(documentedRoutes(routes)).toEqual([cats]);
  });

  it('leaves all but the API of the administration out of its own', () => {
    expect(documentedRoutes(routes, 'admin')).toEqual([sessions]);
  });
});
