import { hash } from 'node:crypto';
import { ATOM_TYPE, HTML_TYPE, JSON_TYPE } from '../../http/protocol/media-type.js';
import { SlicedText } from '../../http/request/slices.js';
import type { PostField } from '../lists/list-fields.js';
import type { Post } from '../post.entity.js';
import { formatPubDate } from '../pub-date.js';
import type { ShownList, PostListRepresentation } from './post-list-representation.js';

/** A feed requires a date (RFC 4287 §4.1.1). A feed without posts uses this one. */
const NO_POSTS_DATE = '1970-01-01T00:00:00.000Z';

/** RFC 5005 calls the page before this one `previous`. */
const RELATIONS: Readonly<Record<string, string>> = { prev: 'previous' };

/** An Atom feed of a page of posts (RFC 4287), paged according to RFC 5005. */
export const atom: PostListRepresentation = {
  mediaType: ATOM_TYPE,
  parameters: { type: 'feed' },
  contentType: ATOM_TYPE,
  // Every entry and the feed itself require a date.
  alsoReads: ['modified'],
  format: (posts, list) => ({
    head: [
      '<?xml version="1.0" encoding="utf-8"?>',
      '<feed xmlns="http://www.w3.org/2005/Atom">',
      `  <id>${nameOf(list.feedId, `posts ${list.scope}`)}</id>`,
      '  <title>Posts</title>',
      `  <updated>${latestDate(posts)}</updated>`,
      '  <author><name>Posts Service</name></author>',
      linkTo('self', list.self, ATOM_TYPE),
      ...list.links.map(({ rel, target, type }) => linkTo(RELATIONS[rel] ?? rel, target, type ?? ATOM_TYPE)),
      '',
    ].join('\n'),
    separator: '',
    tail: '</feed>\n',
    post: (post) => entryOf(post, list),
    largePost: (post) => largeEntryOf(post, list),
  }),
};

function entryOf(post: Partial<Post>, list: ShownList): string {
  const shows = list.fields?.includes('body') ?? true;
  const { before, text, after } = shows ? contentOf(post.body!, list.urlOf(post)) : NO_CONTENT;
  return startOfEntry(post, list) + before + text(post.body!) + after + END_OF_ENTRY;
}

function largeEntryOf(post: Partial<Post>, list: ShownList): SlicedText {
  const { before, text, after } = contentOf(post.body!, list.urlOf(post));
  return new SlicedText(startOfEntry(post, list) + before, post.body!, text, after + END_OF_ENTRY);
}

const END_OF_ENTRY = '  </entry>\n';

function startOfEntry(post: Partial<Post>, { fields, urlOf, feedId }: ShownList): string {
  const shows = (field: PostField): boolean => fields?.includes(field) ?? true;
  return [
    '  <entry>',
    `    <id>${nameOf(feedId, `post ${post.id}`)}</id>`,
    `    <title>${shows('title') ? escapeXml(showAsXmlText(post.title!)) : ''}</title>`,
    ...(shows('pub_date') ? [`    <published>${formatPubDate(post.pubDate!)}</published>`] : []),
    `    <updated>${formatTime(post.modified!)}</updated>`,
    `  ${linkTo('alternate', urlOf(post), HTML_TYPE)}`,
    '',
  ].join('\n');
}

/** The elements around a body, and the function that writes a part of the body. */
interface Content {
  readonly before: string;
  readonly text: (body: string) => string;
  readonly after: string;
}

const NO_CONTENT: Content = { before: '', text: () => '', after: '' };

/**
 * A body that XML cannot represent is not altered: the entry links to the post, and its summary shows the body
 * readably.
 */
function contentOf(body: string, url: string): Content {
  if (isXmlText(body)) return { before: '    <content type="text">', text: escapeXml, after: '</content>\n' };
  return {
    before: '    <summary type="text">',
    text: (part) => escapeXml(showAsXmlText(part)),
    after: `</summary>\n    <content type="${JSON_TYPE}" src="${escapeXml(url)}"/>\n`,
  };
}

function linkTo(rel: string, target: string, type: string): string {
  return `  <link rel="${rel}" type="${type}" href="${escapeXml(target)}"/>`;
}

function latestDate(posts: readonly Partial<Post>[]): string {
  const latest = posts.reduce((time, { modified }) => (modified! > time ? modified! : time), '');
  return latest === '' ? NO_POSTS_DATE : formatTime(latest);
}

/** Drops the digits after the milliseconds, which are not part of the time; see writes/change-time.ts. */
function formatTime(modified: string): string {
  return `${modified.slice(0, 'YYYY-MM-DDTHH:MM:SS.mmm'.length)}Z`;
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

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser would convert an unescaped CR to a line feed (§2.11).
  '\r': '&#13;',
};

/** Whether XML can represent the text unchanged. */
export function isXmlText(text: string): boolean {
  FORBIDDEN.lastIndex = 0;
  return !FORBIDDEN.test(text);
}

/** Escapes a text for an element or an attribute. @throws when {@link isXmlText} is false for it */
export function escapeXml(text: string): string {
  if (!isXmlText(text)) throw new Error('XML cannot hold this text.');
  return text.replaceAll(/[&<>"\r]/g, (char) => REFERENCES[char]!);
}

/**
 * Makes any text valid in XML: a control character becomes its picture (U+2400 ff.: ␇ for U+0007), a noncharacter
 * becomes U+FFFD.
 */
export function showAsXmlText(text: string): string {
  return text.replaceAll(FORBIDDEN, (char) =>
    char < ' ' ? String.fromCharCode(0x2400 + char.charCodeAt(0)) : '\ufffd',
  );
}
