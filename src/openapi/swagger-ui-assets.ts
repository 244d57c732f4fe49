import { Injectable } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Asset, toAsset } from '../http/response/document-response.js';
import { INITIALIZER, STYLE } from './swagger-ui-page.js';

interface Source {
  readonly mediaType: string;
  readonly read: () => string | Buffer;
}

/** The package's own module would load all of Swagger UI into this process to tell where it is. */
const PACKAGE = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const STYLE_TYPE = 'text/css; charset=utf-8';

/** What the page needs; nothing else of the package is served. */
const SOURCES: ReadonlyMap<string, Source> = new Map([
  ['swagger-ui-bundle.js', fromPackage('swagger-ui-bundle.js', SCRIPT_TYPE)],
  ['swagger-ui.css', fromPackage('swagger-ui.css', STYLE_TYPE)],
  ['favicon-32x32.png', fromPackage('favicon-32x32.png', 'image/png')],
  ['initializer.js', { mediaType: SCRIPT_TYPE, read: () => INITIALIZER }],
  ['page.css', { mediaType: STYLE_TYPE, read: () => STYLE }],
]);

/** The files of Swagger UI, each read when it is first asked for. */
@Injectable()
export class SwaggerUiAssets {
  readonly #read = new Map<string, Asset>();

  find(name: string): Asset | undefined {
    return this.#read.get(name) ?? this.#readFirst(name);
  }

  #readFirst(name: string): Asset | undefined {
    const source = SOURCES.get(name);
    if (!source) return undefined;
    const asset = toAsset(source.read(), source.mediaType);
    this.#read.set(name, asset);
    return asset;
  }
}

function fromPackage(name: string, mediaType: string): Source {
  return { mediaType, read: () => readFileSync(join(PACKAGE, name)) };
}
