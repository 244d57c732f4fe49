import { usersOf } from '../../test/support/imports-of-src.js';

describe('the search', () => {
  it('can be taken out: only what starts it, and its command, import it', () => {
    expect(usersOf('search')).toEqual(['bootstrap/post-modules.ts', 'cli/reindex.ts']);
  });
});
