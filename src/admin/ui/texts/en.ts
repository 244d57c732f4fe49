import { posts } from './en/posts.js';
import { session } from './en/session.js';
import { shell } from './en/shell.js';

/** Every text of the site. Another language is another object of this shape, see texts.ts. */
export const en = { posts, session, shell };
