import { ADMIN_ROUTES } from './admin/admin.routes.js';
import { docsAssets, docsPage, openApiJson, openApiYaml } from './docs/docs.routes.js';
import { entryPoint } from './entry-point/entry-point.routes.js';
import { healthLive, healthReady } from './health/health.routes.js';
import type { Route } from './http/route.js';
import { metrics } from './metrics/metrics.routes.js';
import { postDetail, postList } from './posts/posts.routes.js';
import { problemDetail, problemList } from './problem-details/problems.routes.js';

/** Every path of the service. What is not here is not found, whatever the framework would make of it. */
export const ROUTES: readonly Route[] = [
  entryPoint,
  postList,
  postDetail,
  problemList,
  problemDetail,
  openApiJson,
  openApiYaml,
  docsPage,
  docsAssets,
  healthLive,
  healthReady,
  metrics,
  ...ADMIN_ROUTES,
];
