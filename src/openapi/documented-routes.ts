import type { Route } from '../http/pipeline/route.js';

/** The two descriptions of the service: of its API, and of what the administration site needs besides. */
export type DocumentName = 'public' | 'admin';

const ADMIN = '/admin/';
const ADMIN_API = '/admin/api/';

/** The routes that a document tells of: not the pages of the administration site, nor files. */
export function documentedRoutes(
  routes: readonly Route[],
  document: DocumentName = 'public',
): readonly Route[] {
  return routes.filter((route) => documentOf(route) === document);
}

function documentOf({ path, operations }: Route): DocumentName | undefined {
  if (path.endsWith('*')) return undefined;
  if (!Object.values(operations).some(({ declaration }) => declaration.summary)) return undefined;
  if (path.startsWith(ADMIN_API)) return 'admin';
  return path.startsWith(ADMIN) ? undefined : 'public';
}
