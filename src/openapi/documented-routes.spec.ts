import type { Route } from '../http/route.js';
import { documentedRoutes } from './documented-routes.js';

const GET = { GET: { produces: [{ mediaType: 'application/json' }] } };
const route = (path: string, operations: Route['operations'] = GET): Route => ({
  name: path,
  path,
  operations,
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
    route('/files/*', 'any'),
  ];

  it('leaves what is the administration out of the public document', () => {
    expect(documentedRoutes(routes)).toEqual([cats]);
  });

  it('leaves all but the API of the administration out of its own', () => {
    expect(documentedRoutes(routes, 'admin')).toEqual([sessions]);
  });
});
