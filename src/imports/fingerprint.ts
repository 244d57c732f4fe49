import { hash } from 'node:crypto';
import { type NewPost, POST_CONTENT } from '../posts/post.entity.js';

/** The column or property that the site's exports have besides the fields of a post. */
export const FINGERPRINT = 'export_fingerprint';

/**
 * Identifies the content of a post when it was exported. An import compares it with the stored post, and so sees what
 * was changed in between. No spreadsheet takes it for a number or a date.
 */
export function fingerprintOf(post: NewPost & { readonly id: number }): string {
  const content = JSON.stringify([post.id, ...POST_CONTENT.map((name) => post[name])]);
  return `x${hash('sha256', content, 'hex').slice(0, 16)}`;
}
