import { setImmediate as nextTurn } from 'node:timers/promises';
import { aStoredPost } from '../../../test/support/posts.js';
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
  rows: [],
};

const aPostOf = (body: string): Post =>
  aStoredPost({ title: 'A "body":"" <content type="text"></content>, "title"', body });

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
  for await (const piece of writeList(representation, batches, { ...LIST, fields }, '')) pieces.push(piece);
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

  it('is divided when many posts are read together', async () => {
    const posts = Array.from({ length: 30 }, (_, n) => aPostOf(`${n} "<\n${'"'.repeat(10_000)}`));
    const {
      separator,
      between = '',
      tail = '',
      parsesItems,
    } = LIST_REPRESENTATIONS.find((each) => each.mediaType === mediaType)!;
    const sections = posts.map((post) => written(post));
    const section = {
      posts: sections.flatMap((each) => each.posts),
      items: sections.map(({ items }) => items).join(separator),
    };
    const alone = await Promise.all(sections.map((each) => textOf(mediaType, each)));
    const { text: empty } = await textOf(mediaType, { posts: [], items: '' });
    const start = empty.slice(0, empty.length - tail.length);
    const contents = alone.map(({ text }) => text.slice(start.length, text.length - tail.length));
    const { text, longest } = await textOf(mediaType, section);
    expect(text === start + contents.join(between) + tail).toBe(true);
    expect(longest).toBeLessThanOrEqual(parsesItems ? text.length / 3 : text.length);
  });

  it('has the requested fields, and those behind the body', async () => {
    const post = aPostOf('"'.repeat(100_000));
    const fields = ['body', 'etag'] as const;
    const { text } = await textOf(mediaType, { large: post }, fields);
    expect(text === (await textOf(mediaType, written(post, fields), fields)).text).toBe(true);
  });

  it('gives way to other work', async () => {
    // It takes many times the milliseconds that fit into a turn. A feed leaves out longer bodies.
    const length = 4_000_000;
    const end = new AbortController();
    const writing = textOf(mediaType, { large: aPostOf('"'.repeat(length)) }).then(() => end.abort());
    let turns = 0;
    for (; !end.signal.aborted; turns += 1) await nextTurn();
    await writing;
    expect(turns).toBeGreaterThan(2);
  });
});
