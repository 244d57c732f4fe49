import { tmpdir } from 'node:os';
import { LARGE_BYTES } from '../http/request/slices.js';
import type { NewPost } from '../posts/post.entity.js';
import { TemporaryFile } from './temporary-file.js';

describe('a temporary file', () => {
  it('returns posts unchanged and in order, including large bodies', async () => {
    const pubDate = '2026-11-20T14:40:00.000000';
    const bodies = [
      '',
      '"\n\u0001',
      '"'.repeat(LARGE_BYTES + 1),
      'x'.repeat(LARGE_BYTES),
      `x${'😀'.repeat(LARGE_BYTES)}`,
      'y',
    ];
    const posts: NewPost[] = bodies.map((body, index) => ({ title: `title ${index}`, pubDate, body }));
    const file = await TemporaryFile.create(tmpdir());
    try {
      for (const post of posts) await file.add(post);
      expect(file.count).toBe(posts.length);
      const found: NewPost[] = [];
      for await (const post of file.posts()) found.push(post);
      expect(found).toEqual(posts);
    } finally {
      await file.close();
    }
  });
});
