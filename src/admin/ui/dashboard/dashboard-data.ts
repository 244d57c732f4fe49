import type { MonthCount } from '../api/posts.js';
import type { Change } from '../changes/change.js';

/** What `GET /admin/api/dashboard/` answers. */
export interface DashboardData {
  readonly posts: number;
  readonly version: string;
  readonly started_at: string;
  readonly database: { readonly kind: 'sqlite' | 'postgres'; readonly size_bytes: number };
  readonly health: { readonly status: 'ok' | 'error' };
  readonly posts_per_month: readonly MonthCount[];
  readonly latest_changes: readonly Change[];
}
