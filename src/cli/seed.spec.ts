import { samplePosts } from './seed.js';

it('samples are always the same, and differ in language, length and date', () => {
  const posts = [...samplePosts(1_000)];
  expect([...samplePosts(1_000)]).toEqual(posts);
  const titles = posts.map(({ title }) => title).join('\n');
  for (const script of 'Latin Greek Cyrillic Arabic Hebrew Devanagari Hiragana Han'.split(' '))
    expect(titles).toMatch(new RegExp(String.raw`\p{Script=${script}}`, 'u'));
  expect(titles).not.toContain('{}');
  expect(new Set(posts.map(({ title }) => title)).size).toBeGreaterThan(50);
  expect(new Set(posts.map(({ body }) => body.length)).size).toBeGreaterThan(100);
  expect(new Set(posts.map(({ pub_date: date }) => date)).size).toBe(1_000);
});
