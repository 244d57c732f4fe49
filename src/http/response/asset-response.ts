import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { NotFound } from '../../problem-details/index.js';
import { HTML_TYPE } from '../protocol/media-type.js';
import { ApiResponse, contentEntityTag } from './api-response.js';

/** The types of the files of our pages. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': `${HTML_TYPE}; charset=utf-8`,
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** 200 with an asset, whose entity tag is derived from its content. Clients cache it and revalidate it. */
export function assetResponse(
  content: string | Buffer,
  mediaType: string,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse {
  return new ApiResponse({
    headers: { 'Content-Type': mediaType, 'Cache-Control': 'no-cache', ...headers },
    entityTag: contentEntityTag(content),
    body: content,
  });
}

/** 200 with the content of a file. */
export function fileResponse(path: string, headers?: Readonly<Record<string, string>>): ApiResponse {
  return assetResponse(readFileSync(path), MEDIA_TYPES[extname(path)]!, headers);
}

/** The files of a folder, all read at the first request. Files whose media type is unknown are not served. */
export class AssetFolder {
  #files: ReadonlyMap<string, ApiResponse> | undefined;

  constructor(
    private readonly path: string,
    private readonly headers?: Readonly<Record<string, string>>,
  ) {}

  /** @throws NotFound */
  file(name: string): ApiResponse {
    this.#files ??= new Map(
      readdirSync(this.path)
        .filter((each) => extname(each) in MEDIA_TYPES)
        .map((each) => [each, fileResponse(join(this.path, each), this.headers)]),
    );
    const file = this.#files.get(name);
    if (!file) throw new NotFound();
    return file;
  }
}
