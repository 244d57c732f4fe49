import { setImmediate as nextTurn } from 'node:timers/promises';
import { ListedPostDto } from '../dto/post.dto.js';
import { type ListField, shownFields } from '../lists/list-fields.js';
import { type LargePost, listedPostOf, type WrittenPosts } from '../lists/listed-post.js';
import type { Post } from '../post.entity.js';
import { LIST_REPRESENTATIONS } from './list-representations.js';
import { type ShownList, writeList } from './post-list-representation.js';

const LIST: ShownList = {
  fields: undefined,
  urlOf: ({ id }) => `http://localhost/posts/${id}/`,
  self: 'http://localhost/posts/',
  links: [],
  scope: '',
  feedId: '0'.repeat(32),
  modified: '',
};

const aPostOf = (body: string): Post => ({
  id: 7,
  title: 'A "body":"" <content type="text"></content>, "title"',
  pubDate: '2026-11-20T14:40:00.000000Z',
  modified: '2026-11-20T14:40:00.000000Z',
  version: 2,
  body,
});

async function textOf(
  mediaType: string,
  batch: WrittenPosts | LargePost,
  fields?: readonly ListField[],
): Promise<{ text: string; longest: number }> {
  const representation = LIST_REPRESENTATIONS.find((each) => each.mediaType === mediaType)!;
  const batches = (async function* () {
    yield await Promise.resolve(batch);
  })();
  const pieces: string[] = [];
  for await (const piece of writeList(representation, batches, { ...LIST, fields })) pieces.push(piece);
  return { text: pieces.join(''), longest: Math.max(...pieces.map(({ length }) => length)) };
}

function written(post: Post, fields?: readonly ListField[]): WrittenPosts {
  const items = JSON.stringify(ListedPostDto.from(post), [...shownFields(fields)]);
  return { posts: [listedPostOf(post)], items };
}

const MEDIA_TYPES = LIST_REPRESENTATIONS.map(({ mediaType }) => mediaType);
const UNITS = ['x', '"', '\u0001', '<&\r\n', '😀', 'x😀y', ','];

describe.each(MEDIA_TYPES)('a large post as %s', (mediaType) => {
  it.each(UNITS)('is written in pieces that make the same text: %j', async (unit) => {
    const post = aPostOf(`-${unit.repeat(400_000 / unit.length)}`);
    const { text, longest } = await textOf(mediaType, { large: post });
    expect(text === (await textOf(mediaType, written(post))).text).toBe(true);
    expect(longest).toBeLessThanOrEqual(6 * 65_536);
  });

  it('has the requested fields, and those behind the body', async () => {
    const post = aPostOf('"'.repeat(100_000));
    const fields = ['body', 'etag'] as const;
    const { text } = await textOf(mediaType, { large: post }, fields);
    expect(text === (await textOf(mediaType, written(post, fields), fields)).text).toBe(true);
  });

  it('gives way to other work', async () => {
    const end = new AbortController();
    const writing = textOf(mediaType, { large: aPostOf('"'.repeat(4_000_000)) }).then(() => end.abort());
    let turns = 0;
    for (; !end.signal.aborted; turns += 1) await nextTurn();
    await writing;
    expect(turns).toBeGreaterThan(2);
  });
});
