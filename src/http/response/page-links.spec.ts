import { formatLinks, type Link } from './page-links.js';

describe('formatLinks', () => {
  it.each<[string, Link[], string]>([
    ['no link', [], ''],
    ['one link', [{ target: '/posts/?limit=2', rel: 'next' }], '</posts/?limit=2>; rel="next"'],
    [
      'several links',
      [
        { target: 'http://localhost:3000/openapi.json', rel: 'service-desc', type: 'application/json' },
        { target: 'http://localhost:3000/docs/', rel: 'service-doc' },
      ],
      '<http://localhost:3000/openapi.json>; rel="service-desc"; type="application/json", ' +
        '<http://localhost:3000/docs/>; rel="service-doc"',
    ],
    [
      'a target with commas and semicolons',
      [{ target: '/posts/?id=1,2;3', rel: 'self' }],
      '</posts/?id=1,2;3>; rel="self"',
    ],
    [
      'quotes and backslashes',
      [{ target: '/', rel: 'self', type: 'a "b\\' }],
      '</>; rel="self"; type="a \\"b\\\\"',
    ],
  ])('writes %s', (_, links, field) => {
    expect(formatLinks(links)).toBe(field);
  });
});
