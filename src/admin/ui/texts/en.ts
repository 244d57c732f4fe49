import { accounts } from './en/accounts.js';
import { changes } from './en/changes.js';
import { conflict } from './en/conflict.js';
import { dashboard } from './en/dashboard.js';
import { deletedPosts } from './en/deleted-posts.js';
import { deletion } from './en/deletion.js';
import { exporting } from './en/export.js';
import { fields } from './en/fields.js';
import { form } from './en/form.js';
import { history } from './en/history.js';
import { importing } from './en/import.js';
import { lists } from './en/lists.js';
import { posts } from './en/posts.js';
import { session } from './en/session.js';
import { shell } from './en/shell.js';
import { tokens } from './en/tokens.js';

/** Every text of the site. Another language is another object of this shape, see texts.ts. */
export const en = {
  accounts,
  changes,
  conflict,
  dashboard,
  deletedPosts,
  deletion,
  exporting,
  fields,
  form,
  history,
  importing,
  lists,
  posts,
  session,
  shell,
  tokens,
};
