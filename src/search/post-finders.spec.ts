import { PostFinders } from '../posts/lists/post-finders.js';

describe('PostFinders', () => {
  it('refuses a filter without a finder, which would select all posts', () => {
    expect(() => new PostFinders().of({ search: 'fog' })).toThrow(
      'The module of a filter, which adds its finder, is missing.',
    );
  });
});
