import { loadSettings } from '../settings/load-settings.js';
import { assertNoOthers, type Command } from './command.js';
import { assertExists } from './command-database.js';
import { Progress } from './progress.js';

/** Rebuilds the search index. If it is interrupted, the index is still correct for every post. */
export const reindex: Command = {
  name: 'reindex',
  usage: '',
  summary: 'Rebuild the search index. On SQLite the service must not run.',

  async run(args, print) {
    assertNoOthers(args);
    const settings = loadSettings();
    assertExists(settings);
    const { DatabaseAccess } = await import('./database-access.js');
    const posts = await DatabaseAccess.open(settings);
    const progress = new Progress(process.stderr);
    try {
      await posts.reindex((done, total) =>
        progress.show({
          label: 'Indexing',
          posts: done,
          fraction: total === 0 ? 1 : Math.min(1, done / total),
        }),
      );
      progress.end();
      print('The search index was rebuilt.');
    } finally {
      progress.end();
      await posts.close();
    }
  },
};
