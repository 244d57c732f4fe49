import { createHash, hash } from 'node:crypto';
import { inPieces } from '../turns/index.js';
import { escapeJson } from '../text/escape-json.js';
import { PIECE_LENGTH } from '../text/steps.js';
import type { PostDto } from '../posts/dto/post.dto.js';
import { POST_FIELDS } from '../posts/lists/list-fields.js';

/** The column or property that the site's exports have besides the fields of a post. */
export const FINGERPRINT = 'export_fingerprint';

/**
 * Identifies the content of a post when it was exported. An import compares it with the stored post, and so sees what
 * was changed in between. No spreadsheet takes it for a number or a date.
 */
export function fingerprintOf(post: PostDto): string {
  return toFingerprint(hash('sha256', contentOf(post), 'hex'));
}

/** Like {@link fingerprintOf}, for a post of any length: other requests run meanwhile. */
export async function fingerprintInTurns(post: PostDto, client: string): Promise<string> {
  if (post.body.length <= PIECE_LENGTH) return fingerprintOf(post);
  const withoutBody = contentOf(Object.assign({}, post, { body: '' }));
  const digest = createHash('sha256');
  digest.update(withoutBody.slice(0, -AFTER_BODY.length));
  for await (const piece of inPieces(post.body, escapeJson, client)) digest.update(piece);
  digest.update(AFTER_BODY);
  return toFingerprint(digest.digest('hex'));
}

/** What follows the body, the last field, in {@link contentOf}. */
const AFTER_BODY = '"]';

function contentOf(post: PostDto): string {
  return JSON.stringify(POST_FIELDS.map((field) => post[field]));
}

function toFingerprint(digest: string): string {
  return `x${digest.slice(0, 16)}`;
}
