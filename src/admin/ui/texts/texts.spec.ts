import { t } from './texts.js';

describe('t', () => {
  it('inserts values into a text unchanged', () => {
    expect(t('deletion.deleted', { title: '$& %{title} |||| $1' })).toBe(
      '“$& %{title} |||| $1” was deleted.',
    );
    expect(t('posts.title')).toBe('Posts');
  });

  it.each([
    [0, '0 posts are restored.'],
    [1, 'The post is restored.'],
    [2, '2 posts are restored.'],
    [1234, '1234 posts are restored.'],
  ])('uses the singular or plural form for %d', (count, text) => {
    expect(t('deletedPosts.restored', { smart_count: count })).toBe(text);
  });
});
