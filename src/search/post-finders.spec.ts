import { PostFinders } from '../posts/lists/post-finders.js';

describe('PostFinders', () => {
  it('refuses a filter without a finder, which would select all posts', () => {
    expect(() => new PostFinders().of({ search: 'fog' })).toThrow('There is no finder for search.');
  });
});
