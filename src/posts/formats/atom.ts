import { hash } from 'node:crypto';
import { HTML_TYPE } from '../../http/protocol/index.js';
import { inPieces } from '../../turns/index.js';
import { PostDto } from '../dto/post.dto.js';
import { shownFields } from '../lists/list-fields.js';
import { contentsOf, type ListedPost, listedPostOf } from '../lists/listed-post.js';
import type { Post } from '../post.entity.js';
import { formatTime } from '../pub-date.js';
import type { PostListRepresentation, ShownList } from './post-list-representation.js';

export const ATOM_TYPE = 'application/atom+xml';

/** A feed requires a date (RFC 4287 §4.1.1). A feed without posts uses this one. */
const NO_POSTS_DATE = '1970-01-01T00:00:00.000000Z';

/** RFC 5005 calls the page before this one `previous`. */
const RELATIONS: Readonly<Record<string, string>> = { prev: 'previous' };

/** An Atom feed of a page of posts (RFC 4287), paged according to RFC 5005. */
export const atom: PostListRepresentation = {
  mediaType: ATOM_TYPE,
  // What rss-parser and other readers ask for by default.
  inPlaceOf: 'application/rss+xml',
  contentType: ATOM_TYPE,
  isLinked: true,
  isUnlimited: false,
  head: (list) =>
    [
      '<?xml version="1.0" encoding="utf-8"?>',
      '<feed xmlns="http://www.w3.org/2005/Atom">',
      `  <id>${nameOf(list.feedId, `posts ${list.scope}`)}</id>`,
      '  <title>Posts</title>',
      `  <updated>${formatTime(latestChangeOf(list.rows))}</updated>`,
      '  <author><name>Posts Service</name></author>',
      linkTo('self', list.self, ATOM_TYPE),
      ...list.links.map(({ rel, target, type }) => linkTo(RELATIONS[rel] ?? rel, target, type ?? ATOM_TYPE)),
      '',
    ].join('\n'),
  tail: '</feed>\n',
  separator: '\n',
  parsesItems: true,
  items: ({ posts, items }, list) => {
    const contents = contentsOf<Partial<PostDto>>(items);
    return posts.map((post, place) => entryOf(post, contents[place]!, list)).join('');
  },
  pieces: entryPieces,
};

function latestChangeOf(posts: readonly ListedPost[]): string {
  return posts.reduce((latest, { modified }) => (modified > latest ? modified : latest), NO_POSTS_DATE);
}

/** The entry of a post with a longer body links to the post (`alternate`) in place of the content. */
const MAX_CONTENT_BYTES = 4 * 1_024 * 1_024;

/** The content of an entry whose body is empty. Its title has no `<`. */
const EMPTY_CONTENT = '<content type="text"></content>';
const CONTENT_END_LENGTH = '</content>'.length;

/** Writes an entry in pieces. */
async function* entryPieces(post: Post, list: ShownList, client: string): AsyncGenerator<string> {
  const listed = listedPostOf(post);
  const shown = JSON.stringify(Object.assign(PostDto.from(post), { body: '' }), [
    ...shownFields(list.fields),
  ]);
  const content = JSON.parse(shown) as Partial<PostDto>;
  if (listed.bodyBytes > MAX_CONTENT_BYTES) delete content.body;
  const entry = entryOf(listed, content, list);
  const emptyContent = entry.indexOf(EMPTY_CONTENT);
  if (emptyContent < 0) {
    yield entry;
    return;
  }
  const bodyStart = emptyContent + EMPTY_CONTENT.length - CONTENT_END_LENGTH;
  yield entry.slice(0, bodyStart);
  yield* inPieces(post.body, escapeXml, client);
  yield entry.slice(bodyStart);
}

function entryOf(
  { id, modified }: ListedPost,
  content: Partial<PostDto>,
  { urlOf, feedId }: ShownList,
): string {
  const { title = '', pub_date: published, body } = content;
  return [
    '  <entry>',
    `    <id>${nameOf(feedId, `post ${id}`)}</id>`,
    `    <title>${escapeXml(title)}</title>`,
    ...(published === undefined ? [] : [`    <published>${published}</published>`]),
    `    <updated>${formatTime(modified)}</updated>`,
    `  ${linkTo('alternate', urlOf({ id }), HTML_TYPE)}`,
    ...(body === undefined ? [] : [`    <content type="text">${escapeXml(body)}</content>`]),
    '  </entry>\n',
  ].join('\n');
}

function linkTo(rel: string, target: string, type: string): string {
  return `  <link rel="${rel}" type="${type}" href="${escapeXml(target)}"/>`;
}

/**
 * A permanent name, independent of host, prefix and proxy: a UUID of version 5 (RFC 9562 §5.5) with the collection's id
 * as its name space.
 */
function nameOf(feedId: string, name: string): string {
  const digest = hash('sha1', Buffer.concat([Buffer.from(feedId, 'hex'), Buffer.from(name)]), 'buffer');
  digest[6] = (digest[6]! & 0x0f) | 0x50;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const digits = digest.toString('hex', 0, 16);
  return `urn:uuid:${digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`;
}

/** Characters that XML 1.0 cannot represent, not even as a reference (§2.2). A stored text has no lone surrogates. */
// oxlint-disable-next-line no-control-regex -- it is about control characters
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

const REFERENCES: readonly (readonly [char: string, by: string])[] = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  // A parser would convert an unescaped CR to a line feed (§2.11).
  ['\r', '&#13;'],
];

/** Escapes a text for an element or an attribute. What XML cannot represent becomes U+FFFD. */
export function escapeXml(text: string): string {
  // With many occurrences, `split` is ten times as fast as `replaceAll`.
  return REFERENCES.reduce(
    (rest, [char, by]) => rest.split(char).join(by),
    text.replaceAll(FORBIDDEN, '\ufffd'),
  );
}
