import { usersOf } from '../../test/support/imports-of-src.js';

describe('the stream of changes', () => {
  it('can be taken out: only what starts it imports it', () => {
    expect(usersOf('live-changes')).toEqual(['app.module.ts']);
  });
});
