import { Injectable } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ApiResponse, contentEntityTag } from '../../http/response/api-response.js';
import { PACKAGE_FOLDER } from '../../openapi/info.js';

/** Where `npm run build` puts the site's files. */
const BUILT = join(PACKAGE_FOLDER, 'dist', 'admin-ui');

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.map': 'application/json',
};

/** No separator, and no dot at the start: it names a file of one folder and nothing else. */
const FILE_NAME = /^[\w-][\w.-]*$/;

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** What browsers do with a file that never changes, because another content has another name. */
const FOR_EVER = `public, max-age=${YEAR_SECONDS}, immutable`;

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Posts administration</title>
  </head>
  <body>
    <h1>Posts administration</h1>
    <p>The files of this site are missing: <code>npm run build</code> makes them.</p>
  </body>
</html>
`;

/** The files of the administration site as they were built, each read when it is first asked for. */
@Injectable()
export class SiteFiles {
  readonly #responses = new Map<string, ApiResponse>();

  /** @param folder where they are */
  constructor(private readonly folder = BUILT) {}

  /**
   * The page that starts the site, wherever in it somebody is.
   *
   * @param base the path of the site as browsers see it, with a slash at the end; what the page names is relative to it
   */
  async page(base: string): Promise<string> {
    const page = await this.#read('index.html');
    return page === undefined ? NOT_BUILT : withBase(page.toString(), base);
  }

  /** A script, a style sheet or the like. @returns undefined when there is none of that name */
  asset(name: string): Promise<ApiResponse | undefined> {
    return this.#file('assets', name, FOR_EVER);
  }

  /** A file beside the page. @returns undefined when there is none of that name */
  icon(name: string): Promise<ApiResponse | undefined> {
    return this.#file('.', name, 'no-cache');
  }

  async #file(folder: string, name: string, cacheControl: string): Promise<ApiResponse | undefined> {
    const path = join(folder, name);
    const known = this.#responses.get(path);
    if (known) return known;
    const mediaType = MEDIA_TYPES[extname(name)];
    if (!FILE_NAME.test(name) || mediaType === undefined) return undefined;
    const [body, br, gzip] = await Promise.all(
      [path, `${path}.br`, `${path}.gz`].map((each) => this.#read(each)),
    );
    if (!body) return undefined;
    const response = new ApiResponse({
      status: 200,
      headers: { 'Content-Type': mediaType, 'Cache-Control': cacheControl, Vary: 'Accept, Accept-Encoding' },
      entityTag: contentEntityTag(body),
      body,
      compressed: { ...(br && { br }), ...(gzip && { gzip }) },
    });
    this.#responses.set(path, response);
    return response;
  }

  async #read(path: string): Promise<Buffer | undefined> {
    try {
      return await readFile(join(this.folder, path));
    } catch (error) {
      if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes((error as { code: string }).code)) return undefined;
      throw error;
    }
  }
}

/** A browser holds all of the page's references against it (HTML §4.2.3); a page has one at most. */
function withBase(page: string, base: string): string {
  const element = `<base href="${base.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`;
  const found = /<base\b[^>]*>/i;
  return found.test(page)
    ? page.replace(found, () => element)
    : page.replace(/<head\b[^>]*>/i, (head) => head + element);
}
