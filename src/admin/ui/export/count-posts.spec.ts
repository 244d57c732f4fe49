import { countPosts } from './count-posts.js';

describe('countPosts', () => {
  it.each([
    ['csv', 'id,title\r\n1,a\r\n2,"b\r\n""c"",\n"\r\n3,d\r\n', 3],
    ['csv', 'id,title\r\n1,a\r\n2,"b\r\n', 1],
    ['csv', 'id,title\r\n1,a\r\n2,b', 1],
    ['csv', 'id,title', 0],
    ['ndjson', '{"title":"\\"\\n"}\n{"title":"b"}\n', 2],
    ['ndjson', '{"title":"a"}\n{"ti', 1],
    ['ndjson', '', 0],
  ] as const)('counts the complete posts of %s %j, wherever the input is cut', (format, text, posts) => {
    const bytes = new TextEncoder().encode(text);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const count = countPosts(format);
      count(bytes.subarray(0, cut));
      expect(count(bytes.subarray(cut))).toBe(posts);
    }
  });
});
