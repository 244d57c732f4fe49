import { Injectable } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { absolutePath } from 'swagger-ui-dist';
import { INITIALIZER, STYLE } from './swagger-ui-page.js';

export interface Asset {
  readonly mediaType: string;
  readonly content: string | Buffer;
}

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const STYLE_TYPE = 'text/css; charset=utf-8';

/** What the page needs of the package swagger-ui-dist; nothing else of it is served. */
const PACKAGE_FILES: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': SCRIPT_TYPE,
  'swagger-ui.css': STYLE_TYPE,
  'favicon-32x32.png': 'image/png',
};

const OWN_FILES: Readonly<Record<string, Asset>> = {
  'initializer.js': { mediaType: SCRIPT_TYPE, content: INITIALIZER },
  'page.css': { mediaType: STYLE_TYPE, content: STYLE },
};

/** The files of Swagger UI. They are read once, when they are first asked for. */
@Injectable()
export class SwaggerUiAssets {
  readonly #read = new Map<string, Promise<Buffer>>();

  async find(name: string): Promise<Asset | undefined> {
    if (Object.hasOwn(OWN_FILES, name)) return OWN_FILES[name];
    if (!Object.hasOwn(PACKAGE_FILES, name)) return undefined;
    let content = this.#read.get(name);
    if (!content) {
      content = readFile(join(absolutePath(), name));
      this.#read.set(name, content);
    }
    return { mediaType: PACKAGE_FILES[name]!, content: await content };
  }
}
