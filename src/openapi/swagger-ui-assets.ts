import { Injectable } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { HTML_TYPE } from '../http/protocol/media-type.js';
import { type Asset, toAsset } from '../http/response/document-response.js';
import { pageFields } from '../http/response/head.js';
import { PACKAGE_FOLDER } from './info.js';

/** The path is resolved here because the package's own module would load all of Swagger UI into this process. */
const PACKAGE = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** The folder into which `npm run build` writes our own files. */
const BUILT = join(PACKAGE_FOLDER, 'dist/swagger-ui');

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const STYLE_TYPE = 'text/css; charset=utf-8';

/** The files that the page loads; no other file of the package is served. */
const FILES: ReadonlyMap<string, { readonly folder: string; readonly mediaType: string }> = new Map([
  ['swagger-ui-bundle.js', { folder: PACKAGE, mediaType: SCRIPT_TYPE }],
  ['swagger-ui.css', { folder: PACKAGE, mediaType: STYLE_TYPE }],
  ['main.js', { folder: BUILT, mediaType: SCRIPT_TYPE }],
  ['page.css', { folder: BUILT, mediaType: STYLE_TYPE }],
  ['favicon.svg', { folder: BUILT, mediaType: 'image/svg+xml' }],
]);

/**
 * The strictest policy under which Swagger UI works. It loads and requests only its own resources, and the page has no
 * inline script or style. The arrows and icons of its style sheet are `data:` images. `upgrade-insecure-requests` is
 * absent because the service also runs on plain http.
 */
export const PAGE_FIELDS = pageFields([
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]);

/** The files of Swagger UI, each read at its first request. */
@Injectable()
export class SwaggerUiAssets {
  readonly #read = new Map<string, Asset>();
  #page: Asset | undefined;

  page(): Asset {
    this.#page ??= toAsset(readFileSync(join(BUILT, 'page.html')), `${HTML_TYPE}; charset=utf-8`);
    return this.#page;
  }

  find(name: string): Asset | undefined {
    return this.#read.get(name) ?? this.#readFirst(name);
  }

  #readFirst(name: string): Asset | undefined {
    const file = FILES.get(name);
    if (!file) return undefined;
    const asset = toAsset(readFileSync(join(file.folder, name)), file.mediaType);
    this.#read.set(name, asset);
    return asset;
  }
}
