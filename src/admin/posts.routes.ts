import type { Route } from '../http/route.js';
import { bulkDeletionList } from './bulk-deletions/bulk-deletions.routes.js';
import { changeList } from './changes/changes.routes.js';
import { dashboard } from './dashboard/dashboard.routes.js';
import { excerptList } from './excerpts/excerpts.routes.js';
import { importCheckList } from './import-checks/import-checks.routes.js';
import { monthList } from './months/months.routes.js';
import { deletedPostDetail, deletedPostList } from './deleted-posts/deleted-posts.routes.js';
import { restorationList } from './restorations/restorations.routes.js';
import { revisionDetail, revisionList } from './revisions/revisions.routes.js';

/** What the administration site asks about posts besides what the public API tells, and what it does with many of them. */
export const POSTS_ROUTES: readonly Route[] = [
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
];
