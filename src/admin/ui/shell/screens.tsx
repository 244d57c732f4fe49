import {
  mdiAccountMultipleOutline,
  mdiDeleteOutline,
  mdiHistory,
  mdiKeyOutline,
  mdiTextBoxOutline,
  mdiTrayArrowUp,
  mdiTrayArrowDown,
  mdiViewDashboardOutline,
} from '@mdi/js';
import { type ComponentType, lazy } from 'react';
import { isReachable } from '../api/client.js';
import { OldSite, Unreachable } from '../api/problem.js';
import type { Role } from '../../../users/user.js';

export interface Screen {
  /** The router path, relative to the site: `/posts/:id`. */
  readonly path: string;
  /** Loaded at the first visit. */
  readonly Component: ComponentType;
  /** The role required to open it; without it, every logged-in user may. */
  readonly role?: Role;
  /** The menu entry, if it has one. */
  readonly menu?: { readonly label: string; readonly icon: string };
}

/** A page that is loaded at its first visit. @throws Unreachable, or OldSite */
function page<Name extends string>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
): ComponentType {
  return lazy(async (): Promise<{ default: ComponentType }> => {
    try {
      return { default: (await load())[name] };
    } catch (error) {
      if (await isReachable()) throw new OldSite(error);
      throw new Unreachable(error);
    }
  });
}

/** One page for both addresses, so that the form of a new post stays when it is saved. */
const PostPage = page('PostPage', () => import('../posts/form/post-page.js'));

/** All pages of the site, in the order of the menu. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/',
    Component: page('Dashboard', () => import('../dashboard/dashboard.js')),
    menu: { label: 'Dashboard', icon: mdiViewDashboardOutline },
  },
  {
    path: '/posts',
    Component: page('PostList', () => import('../posts/list/post-list.js')),
    menu: { label: 'Posts', icon: mdiTextBoxOutline },
  },
  { path: '/posts/create', role: 'editor', Component: PostPage },
  { path: '/posts/:id', Component: PostPage },
  { path: '/posts/:id/history', Component: page('PostHistory', () => import('../history/post-history.js')) },
  {
    path: '/deleted-posts',
    Component: page('DeletedPostList', () => import('../deleted-posts/deleted-post-list.js')),
    menu: { label: 'Deleted posts', icon: mdiDeleteOutline },
  },
  {
    path: '/changes',
    Component: page('ChangeList', () => import('../changes/change-list.js')),
    menu: { label: 'Change log', icon: mdiHistory },
  },
  {
    path: '/import',
    role: 'editor',
    Component: page('ImportPage', () => import('../import/import-page.js')),
    menu: { label: 'Import', icon: mdiTrayArrowUp },
  },
  {
    path: '/export',
    Component: page('ExportPage', () => import('../export/export-page.js')),
    menu: { label: 'Export', icon: mdiTrayArrowDown },
  },
  {
    path: '/tokens',
    role: 'administrator',
    Component: page('TokenList', () => import('../tokens/token-list.js')),
    menu: { label: 'API tokens', icon: mdiKeyOutline },
  },
  {
    path: '/accounts',
    role: 'administrator',
    Component: page('AccountList', () => import('../accounts/account-list.js')),
    menu: { label: 'Accounts', icon: mdiAccountMultipleOutline },
  },
];
