import { hash } from 'node:crypto';
import type { PostDto } from '../posts/dto/post.dto.js';
import { POST_FIELDS } from '../posts/lists/list-fields.js';

/** The column or property that the site's exports have besides the fields of a post. */
export const FINGERPRINT = 'export_fingerprint';

/**
 * Identifies the content of a post when it was exported. An import compares it with the stored post, and so sees what
 * was changed in between. No spreadsheet takes it for a number or a date.
 */
export function fingerprintOf(post: PostDto): string {
  const content = JSON.stringify(POST_FIELDS.map((field) => post[field]));
  return `x${hash('sha256', content, 'hex').slice(0, 16)}`;
}
