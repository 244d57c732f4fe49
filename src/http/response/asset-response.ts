import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { HTML_TYPE } from '../protocol/media-type.js';
import { ApiResponse, contentEntityTag } from './api-response.js';

/** The types of the files of our pages. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': `${HTML_TYPE}; charset=utf-8`,
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** 200 with an asset, whose entity tag is derived from its content. Clients cache it and revalidate it. */
export function assetResponse(
  content: string | Buffer,
  mediaType: string,
  headers: Readonly<Record<string, string>> = {},
  compressed?: Readonly<Record<'br' | 'gzip', Buffer>>,
): ApiResponse {
  return new ApiResponse({
    headers: { 'Content-Type': mediaType, 'Cache-Control': 'no-cache', ...headers },
    entityTag: contentEntityTag(content),
    body: content,
    ...(compressed && { compressed }),
  });
}

/** 200 with the content of a file, compressed where the build has compressed it. */
export function fileResponse(path: string, headers: Readonly<Record<string, string>> = {}): ApiResponse {
  const compressed = existsSync(`${path}.br`)
    ? { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) }
    : undefined;
  return assetResponse(readFileSync(path), MEDIA_TYPES[extname(path)]!, headers, compressed);
}

/** The files of a folder, by name, without those whose media type is unknown. */
export function filesIn(
  folder: string,
  headers?: Readonly<Record<string, string>>,
): Map<string, ApiResponse> {
  const names = readdirSync(folder).filter((name) => extname(name) in MEDIA_TYPES);
  return new Map(names.map((name) => [name, fileResponse(join(folder, name), headers)]));
}
