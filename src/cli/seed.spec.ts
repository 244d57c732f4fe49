import { samplePosts } from './seed.js';

describe('sample posts', () => {
  const posts = [...samplePosts(1_000)];

  it('are always the same', () => {
    expect([...samplePosts(1_000)]).toEqual(posts);
  });

  it('can all be stored', () => {
    for (const { title, pub_date: date } of posts) {
      expect(title.length).toBeLessThanOrEqual(200);
      expect(title).toMatch(/\S/);
      expect(title).not.toContain('{}');
      expect(date).toMatch(/^\d{4}-/);
    }
  });

  it('differ in language, length and date', () => {
    const scripts = 'Latin Greek Cyrillic Arabic Hebrew Devanagari Hiragana Han'.split(' ');
    const titles = posts.map(({ title }) => title).join('\n');
    for (const script of scripts) expect(titles).toMatch(new RegExp(String.raw`\p{Script=${script}}`, 'u'));
    expect(new Set(posts.map(({ title }) => title)).size).toBeGreaterThan(50);
    expect(new Set(posts.map(({ body }) => body.length)).size).toBeGreaterThan(100);
    expect(new Set(posts.map(({ pub_date: date }) => date)).size).toBe(1_000);
  });
});
