export const posts = {
  title: 'Posts',
  empty: 'There are no posts yet.',
};
