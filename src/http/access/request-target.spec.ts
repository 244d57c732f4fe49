import { parseTarget } from './request-target.js';

describe('parseTarget', () => {
  it.each([
    ['/posts/?a=1?b', '', { fullPath: '/posts/', path: '/posts/', query: 'a=1?b' }],
    ['/posts/', '', { fullPath: '/posts/', path: '/posts/', query: '' }],
    ['/blog/posts/', '/blog', { fullPath: '/blog/posts/', path: '/posts/', query: '' }],
    ['/blog', '/blog', { fullPath: '/blog', path: '', query: '' }],
    ['/blogs/posts/', '/blog', { fullPath: '/blogs/posts/', path: undefined, query: '' }],
    ['/posts/', '/blog', { fullPath: '/posts/', path: undefined, query: '' }],
    ['/a"b/?c=<d>', '', { fullPath: '/a%22b/', path: '/a%22b/', query: 'c=%3Cd%3E' }],
    ['/50%/%41?50%', '', { fullPath: '/50%25/%41', path: '/50%25/%41', query: '50%' }],
    ['/\u00E9', '', { fullPath: '/%E9', path: '/%E9', query: '' }],
  ])('parses %s below %j', (url, basePath, target) => {
    expect(parseTarget(url, basePath)).toEqual(target);
  });
});
