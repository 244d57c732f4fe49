import ArticleIcon from '@mui/icons-material/ArticleOutlined';
import type { SvgIconComponent } from '@mui/icons-material';
import { type ComponentType, lazy } from 'react';
import type { TextKey } from '../texts/texts.js';

export interface Screen {
  /** Below the site's own path, as the router knows it: `/posts/:id`. */
  readonly path: string;
  /** Loaded when it is first opened. */
  readonly Component: ComponentType;
  /** Its entry in the menu, for those that have one. */
  readonly menu?: { readonly label: TextKey; readonly icon: SvgIconComponent };
}

/** Every page of the site, in the order of the menu. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/posts',
    Component: lazy(async () => ({ default: (await import('../posts/post-list.js')).PostList })),
    menu: { label: 'posts.title', icon: ArticleIcon },
  },
];
