import { t } from './texts.js';

describe('t', () => {
  it('puts values into a text, as they are', () => {
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
  ])('takes the form for %d', (count, text) => {
    expect(t('deletedPosts.restored', { smart_count: count })).toBe(text);
  });
});
