import { POST_MODULES } from '../bootstrap/post-modules.js';
import { PostsService } from '../posts/posts.service.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import type { Environment } from '../settings/settings.js';
import { print, settingsOfExisting, withContext } from './command-context.js';
import { progressOf } from './progress.js';

/** Rebuilds the search index. If it is interrupted, the index is still correct for every post. */
export async function reindex(overrides: Environment): Promise<void> {
  const show = progressOf('Indexing');
  await withContext(settingsOfExisting(overrides), POST_MODULES, async (context) => {
    const total = await context.get(PostsService, { strict: false }).count();
    const index = context.get(SearchIndexRepository, { strict: false });
    await index.rebuild((posts) => show(Math.min(1, posts / total)));
  });
  print('The search index was rebuilt.');
}
