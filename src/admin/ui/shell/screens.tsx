import type SvgIcon from '@mui/material/SvgIcon';
import { type ComponentType, lazy } from 'react';
import {
  AccountsIcon,
  ArticleIcon,
  DashboardIcon,
  DeleteIcon,
  ExportIcon,
  HistoryIcon,
  ImportIcon,
  TokensIcon,
} from './icons.js';
import type { Role } from '../api/session.js';
import type { TextKey } from '../texts/texts.js';

export interface Screen {
  /** The router path, relative to the site: `/posts/:id`. */
  readonly path: string;
  /** Loaded at the first visit. */
  readonly Component: ComponentType;
  /** The role required to open it; without it, every logged-in user may. */
  readonly role?: Role;
  /** The menu entry, if it has one. */
  readonly menu?: { readonly label: TextKey; readonly icon: typeof SvgIcon };
}

/** All pages of the site, in the order of the menu. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/',
    Component: lazy(async () => ({ default: (await import('../dashboard/dashboard.js')).Dashboard })),
    menu: { label: 'dashboard.title', icon: DashboardIcon },
  },
  {
    path: '/posts',
    Component: lazy(async () => ({ default: (await import('../posts/list/post-list.js')).PostList })),
    menu: { label: 'posts.title', icon: ArticleIcon },
  },
  {
    path: '/posts/create',
    role: 'editor',
    Component: lazy(async () => ({ default: (await import('../posts/form/post-create.js')).PostCreate })),
  },
  {
    path: '/posts/:id',
    Component: lazy(async () => ({ default: (await import('../posts/form/post-edit.js')).PostEdit })),
  },
  {
    path: '/posts/:id/history',
    Component: lazy(async () => ({ default: (await import('../history/post-history.js')).PostHistory })),
  },
  {
    path: '/deleted-posts',
    Component: lazy(async () => ({
      default: (await import('../deleted-posts/deleted-post-list.js')).DeletedPostList,
    })),
    menu: { label: 'deletedPosts.title', icon: DeleteIcon },
  },
  {
    path: '/changes',
    Component: lazy(async () => ({ default: (await import('../changes/change-list.js')).ChangeList })),
    menu: { label: 'changes.title', icon: HistoryIcon },
  },
  {
    path: '/import',
    role: 'editor',
    Component: lazy(async () => ({ default: (await import('../import/import-page.js')).ImportPage })),
    menu: { label: 'importing.title', icon: ImportIcon },
  },
  {
    path: '/export',
    Component: lazy(async () => ({ default: (await import('../export/export-page.js')).ExportPage })),
    menu: { label: 'exporting.title', icon: ExportIcon },
  },
  {
    path: '/tokens',
    role: 'administrator',
    Component: lazy(async () => ({ default: (await import('../tokens/token-list.js')).TokenList })),
    menu: { label: 'tokens.title', icon: TokensIcon },
  },
  {
    path: '/accounts',
    role: 'administrator',
    Component: lazy(async () => ({ default: (await import('../accounts/account-list.js')).AccountList })),
    menu: { label: 'accounts.title', icon: AccountsIcon },
  },
];
