import { JSON_TYPE } from '../http/media-types.js';
import type { Route } from '../http/route.js';
import { accountDetail, accountList } from './accounts/accounts.routes.js';
import { apiTokenDetail, apiTokenList } from './api-tokens/api-tokens.routes.js';
import { bulkDeletionList } from './bulk-deletions/bulk-deletions.routes.js';
import { changeList } from './changes/changes.routes.js';
import { dashboard } from './dashboard/dashboard.routes.js';
import { deletedPostDetail, deletedPostList } from './deleted-posts/deleted-posts.routes.js';
import { excerptList } from './excerpts/excerpts.routes.js';
import { importCheckList } from './import-checks/import-checks.routes.js';
import { monthList } from './months/months.routes.js';
import { restorationList } from './restorations/restorations.routes.js';
import { revisionDetail, revisionList } from './revisions/revisions.routes.js';
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
  revisionList,
  revisionDetail,
  changeList,
  deletedPostList,
  deletedPostDetail,
  restorationList,
  excerptList,
  monthList,
  bulkDeletionList,
  importCheckList,
  dashboard,
  description,
  nowhere('admin-api', '/admin/api/'),
  nowhere('admin-api-nowhere', '/admin/api/*'),
  nowhere('admin-assets-folder', '/admin/assets/'),
  sitePage,
  sitePages,
  siteAssets,
  siteIcon,
];
