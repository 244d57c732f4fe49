import { NDJSON_TYPE } from '../../../http/protocol/media-type.js';
import type { ImportResultDto } from '../../../posts/dto/post.dto.js';
import type { ImportCheckDto } from '../../import-checks.controller.js';
import { CURRENT_SESSION } from '../api/api.js';
import { api } from '../api/client.js';
import { POSTS_PATH } from '../api/posts.js';
import { type ImportFault, type PostLines, serviceFaults } from './csv-posts.js';

export interface SendOptions {
  readonly onSent: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** Asks the service to validate the posts without storing them. */
export async function checkPosts(
  { body, lineOf }: PostLines,
  options: SendOptions,
): Promise<{ count: number; faults: ImportFault[] }> {
  const response = await send('admin/api/import-checks/', body, options);
  const { lines, faults } = (await response.json()) as ImportCheckDto;
  return { count: lines, faults: serviceFaults(faults, lineOf) };
}

/**
 * Imports the posts, all or none.
 *
 * @param key the same for each attempt of one import, so that a retry stores nothing twice
 */
export async function importPosts(
  { body }: PostLines,
  key: string,
  options: SendOptions,
): Promise<ImportResultDto> {
  const response = await send(POSTS_PATH, body, options, { 'Idempotency-Key': `"${key}"` });
  return (await response.json()) as ImportResultDto;
}

async function send(
  path: string,
  body: Blob,
  { onSent, signal }: SendOptions,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  // Detects an ended session before the upload of a large file.
  await api.json(CURRENT_SESSION, { signal });
  return api.send(path, {
    method: 'POST',
    body,
    headers: { 'Content-Type': NDJSON_TYPE, ...headers },
    onUploadProgress: onSent,
    signal,
  });
}
