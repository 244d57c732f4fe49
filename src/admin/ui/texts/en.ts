import { conflict } from './en/conflict.js';
import { deletion } from './en/deletion.js';
import { form } from './en/form.js';
import { posts } from './en/posts.js';
import { session } from './en/session.js';
import { shell } from './en/shell.js';

/** Every text of the site. Another language is another object of this shape, see texts.ts. */
export const en = { conflict, deletion, form, posts, session, shell };
