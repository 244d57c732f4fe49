import { JSON_TYPE } from '../http/media-types.js';
import type { Route } from '../http/route.js';
import { accountDetail, accountList } from './accounts/accounts.routes.js';
import { apiTokenDetail, apiTokenList } from './api-tokens/api-tokens.routes.js';
import { POSTS_ROUTES } from './posts.routes.js';
import { currentSession, sessionList } from './sessions/sessions.routes.js';
import { siteAssets, siteIcon, sitePage, sitePages } from './site/site.routes.js';

const description: Route = {
  name: 'admin-openapi-json',
  path: '/admin/api/openapi.json',
  operations: { GET: { produces: [{ mediaType: JSON_TYPE }] } },
};

/** What stands nowhere in the API, or in the folder of the files, is not found: it is no page of the site. */
const nowhere = (name: string, path: string): Route => ({
  name,
  path,
  operations: 'any',
  hasTarget: () => false,
});

/** Every path under /admin/. */
export const ADMIN_ROUTES: readonly Route[] = [
  sessionList,
  currentSession,
  accountList,
  accountDetail,
  apiTokenList,
  apiTokenDetail,
  ...POSTS_ROUTES,
  description,
  nowhere('admin-api', '/admin/api/'),
  nowhere('admin-api-nowhere', '/admin/api/*'),
  nowhere('admin-assets-folder', '/admin/assets/'),
  sitePage,
  sitePages,
  siteAssets,
  siteIcon,
];
