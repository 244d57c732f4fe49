import type { Route } from '../http/route.js';
import { changeList } from './changes/changes.routes.js';
import { deletedPostDetail, deletedPostList } from './deleted-posts/deleted-posts.routes.js';
import { restorationList } from './restorations/restorations.routes.js';
import { revisionDetail, revisionList } from './revisions/revisions.routes.js';

/** What the administration site asks about the history of the posts, and what it does with it. */
export const HISTORY_ROUTES: readonly Route[] = [
  revisionList,
  revisionDetail,
  changeList,
  deletedPostList,
  deletedPostDetail,
  restorationList,
];
