import { aStoredPost } from '../../../test/support/posts.js';
import { PostDto } from '../dto/post.dto.js';
import type { Post } from '../post.entity.js';
import type { LongTextJson } from '../../turns/index.js';
import { postJson } from './post-json.js';

const aPostOf = (body: string): Post => aStoredPost({ title: 'A "title"', body });

async function piecesOf(stream: LongTextJson): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of stream.chunks('')) pieces.push(piece);
  return pieces;
}

describe('postJson', () => {
  it('writes a small post at once', () => {
    const post = aPostOf('x'.repeat(65_536));
    expect(postJson(post)).toBe(JSON.stringify(PostDto.from(post)));
  });

  it.each<[string, string]>([
    ['letters', 'x'],
    ['control characters', '\u0001'],
    ['quotes', '"'],
    ['surrogate pairs', '😀'],
    ['surrogate pairs that begin at an odd place', 'x😀y'],
  ])('writes a large one in pieces that make the same text: %s', async (_, unit) => {
    const post = aPostOf(`-${unit.repeat(400_000 / unit.length)}`);
    const pieces = await piecesOf(postJson(post) as LongTextJson);
    expect(pieces.join('') === JSON.stringify(PostDto.from(post))).toBe(true);
    expect(pieces.length).toBeGreaterThan(6);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(6 * 65_536);
  });
});
