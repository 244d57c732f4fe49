import { cursorsOf } from './cursors.js';

describe('cursorsOf', () => {
  it.each([
    [null, {}],
    ['<http://x/posts/?limit=2>; rel="first"', {}],
    [
      '<http://x/posts/?cursor=a%2Cb&limit=2>; rel="next", <http://x/posts/?cursor=c&limit=2>; rel="prev", <http://x/posts/>; rel="first"',
      { next: 'a,b', prev: 'c' },
    ],
    ['</posts/?cursor=z>; rel=next', { next: 'z' }],
    ['</posts/?search=a%2C%3Eb&cursor=z>; title="x"; rel="last next"', { next: 'z' }],
  ])('extracts the cursors from %j', (field, cursors) => {
    expect(cursorsOf(field)).toEqual(cursors);
  });
});
