import { formatLinks } from './page-links.js';

describe('formatLinks', () => {
  it.each([
    [[], ''],
    [[{ target: '/posts/?id=1,2;3', rel: 'next' }], '</posts/?id=1,2;3>; rel="next"'],
    [
      [
        { target: '/a', rel: 'self', type: 'a "b\\' },
        { target: '/b', rel: 'prev' },
      ],
      String.raw`</a>; rel="self"; type="a \"b\\", </b>; rel="prev"`,
    ],
  ])('writes %j', (links, field) => {
    expect(formatLinks(links)).toBe(field);
  });
});
