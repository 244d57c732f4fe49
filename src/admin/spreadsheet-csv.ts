import { FINGERPRINT, fingerprintOf } from '../imports/fingerprint.js';
import { toSpreadsheetCell } from '../imports/spreadsheet-cells.js';
import { PostDto } from '../posts/dto/post.dto.js';
import { csv, csvRecord, ndjson } from '../posts/formats/list-representations.js';
import type { PostListRepresentation, ShownFields } from '../posts/formats/post-list-representation.js';
import { POST_FIELDS, propertyOf } from '../posts/lists/list-fields.js';
import type { Post } from '../posts/post.entity.js';

/*
 * The formats of the site's exports: those of the API, and the fingerprint of each post, by which an import sees what
 * was changed since.
 */

/** CSV for spreadsheets, which detect the encoding by the byte order mark and would run cells as formulas. */
export const spreadsheet: PostListRepresentation<ShownFields> = {
  ...csv,
  head: () => `\ufeff${csvRecord([...POST_FIELDS, FINGERPRINT])}`,
  *post(post, list) {
    let last = '';
    for (const piece of csv.post(withSpreadsheetCells(post), list)) {
      yield last;
      last = piece;
    }
    yield `${last.slice(0, -'\r\n'.length)},${fingerprintOf(PostDto.from(post as Post))}\r\n`;
  },
};

export const ndjsonWithFingerprint: PostListRepresentation<ShownFields> = {
  ...ndjson,
  post: (post) => {
    const dto = PostDto.from(post as Post);
    return [`${JSON.stringify(Object.assign(dto, { [FINGERPRINT]: fingerprintOf(dto) }))}\n`];
  },
};

/** Every text is marked, also of fields that posts get later. */
function withSpreadsheetCells(post: Partial<Post>): Partial<Post> {
  const cells = POST_FIELDS.map(propertyOf).map((name) => {
    const value = post[name];
    return [name, typeof value === 'string' ? toSpreadsheetCell(value) : value];
  });
  return Object.fromEntries(cells) as Partial<Post>;
}
