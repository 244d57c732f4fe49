import { Controller, Get, Inject, Injectable, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Operation } from '../http/request/operation.decorator.js';
import { RouteTable } from '../http/request/route-table.js';
import { HTML_TYPE } from '../http/protocol/media-type.js';
import { FilePath } from '../http/request/validation.js';
import { ApiResponse, contentEntityTag } from '../http/response/api-response.js';
import { assetResponse } from '../http/response/asset-response.js';
import { pageFields } from '../http/response/security-fields.js';
import { PACKAGE_FOLDER } from '../openapi/info.js';
import { NotFound } from '../problem-details/problems.js';
import { SETTINGS, type Settings } from '../settings/settings.js';

/** The folder into which `npm run build` puts the site's files. */
const BUILT = join(PACKAGE_FOLDER, 'dist', 'admin-ui');

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** No separator and no leading dot, so the name cannot leave the folder. */
const FILE_NAME = /^[\w-][\w.-]*$/;

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Cached for ever: changed content gets a new name, also the icon. */
const FOR_EVER = `public, max-age=${YEAR_SECONDS}, immutable`;

/** The built files of the administration site, each read at its first request. */
@Injectable()
export class SiteFiles {
  readonly #responses = new Map<string, ApiResponse>();

  /** @param folder of the built files */
  constructor(private readonly folder = BUILT) {}

  /**
   * Returns the page that starts the site, for every path of the site.
   *
   * @param base the path of the site as browsers see it, with a trailing slash. It becomes the base element, the base URL
   * of all references in the page (HTML §4.2.3).
   * @throws NotFound when the site was not built
   */
  async page(base: string): Promise<string> {
    const page = await this.#read('index.html');
    const element = `<base href="${base.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`;
    if (!page) throw new NotFound();
    return page.toString().replace(/<base\b[^>]*>/, () => element);
  }

  /**
   * Returns a script, a style sheet or an icon, compressed where the build has compressed it.
   *
   * @throws NotFound
   */
  async file(name: string): Promise<ApiResponse> {
    const known = this.#responses.get(name);
    if (known) return known;
    const mediaType = MEDIA_TYPES[extname(name)];
    if (!FILE_NAME.test(name) || mediaType === undefined) throw new NotFound();
    const [body, br, gzip] = await Promise.all(
      ['', '.br', '.gz'].map((suffix) => this.#read(join('assets', name + suffix))),
    );
    if (!body) throw new NotFound();
    const response = new ApiResponse({
      headers: { 'Content-Type': mediaType, 'Cache-Control': FOR_EVER },
      entityTag: contentEntityTag(body),
      body,
      compressed: { ...(br && { br }), ...(gzip && { gzip }) },
    });
    this.#responses.set(name, response);
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

/**
 * Allows no external and no inline content. The hash is that of the empty style element that the site's component
 * library inserts. The library fills it through the CSSOM, which no policy restricts.
 */
const SOURCES = [
  "script-src 'self'",
  "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "object-src 'none'",
];
const PAGE_FIELDS = pageFields(SOURCES, "'self'");

/** Serves the administration site: one page and the files that it loads. */
@ApiExcludeController()
@Controller('admin')
export class SiteController {
  readonly #base: string;

  constructor(
    private readonly files: SiteFiles,
    @Inject(SETTINGS) { publicUrl, basePath }: Settings,
    routes: RouteTable,
  ) {
    const prefix = publicUrl === undefined ? basePath : new URL(publicUrl).pathname.replace(/\/$/, '');
    this.#base = prefix + routes.pathOf('admin');
  }

  @Get()
  @Operation({
    name: 'admin',
    // Paths of the site's own router. A reload or a link there gets the same page.
    below: { name: 'admin-pages', except: ['api', 'assets'] },
    produces: [{ mediaType: HTML_TYPE }],
    ignoresQuery: true,
  })
  async getPage(): Promise<ApiResponse> {
    const page = await this.files.page(this.#base);
    return assetResponse(page, `${HTML_TYPE}; charset=utf-8`, PAGE_FIELDS);
  }

  @Get('assets/:name')
  @Operation({ name: 'admin-assets', trailingSlash: false, ignoresQuery: true })
  getAsset(@Param() { name }: FilePath): Promise<ApiResponse> {
    return this.files.file(name);
  }
}
