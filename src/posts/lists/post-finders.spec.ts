import { type PostFinder, PostFinders } from './post-finders.js';

describe('PostFinders', () => {
  it('has the finder of a filter, with its value', () => {
    const finders = new PostFinders();
    const finder = {} as PostFinder;
    finders.add('search', finder);
    expect(finders.of({ search: 'fog' })).toEqual({ finder, value: 'fog' });
    expect(finders.of({ search: undefined })).toBeUndefined();
  });

  it('refuses a filter without a finder, which would select all posts', () => {
    expect(() => new PostFinders().of({ search: 'fog' })).toThrow('There is no finder for search.');
  });
});
