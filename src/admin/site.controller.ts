import { All, Controller, Get, Param, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Access,
  ApiResponse,
  AssetFolder,
  assetResponse,
  Operation,
  pageFields,
  type UrlOf,
  UrlOfRoute,
} from '../http/index.js';
import { HTML_TYPE } from '../http/protocol/index.js';
import { MethodNotAllowed, NotFound } from '../problem-details/index.js';
import { PACKAGE_FOLDER } from '../settings/package-info.js';

/** The folder into which `npm run build` puts the page of the site, and the files that it loads. */
const BUILT = join(PACKAGE_FOLDER, 'dist/admin-ui');

/** Cached for a year: changed content gets a new name, also the icon. */
const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

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

const PAGE_METHODS = ['GET', 'HEAD', 'OPTIONS'];
/** What the site loads is below these, or nowhere. Written in another case, they are mistakes, and no paths of its router. */
const LOADED = ['api', 'assets'];

/** Serves the administration site: one page and the files that it loads, which are read at their first request. */
@ApiExcludeController()
@Access({ anyone: 'The page has no data, and its log-in needs it.' })
@Controller('admin')
export class SiteController {
  #page: ApiResponse | undefined;
  readonly #assets = new AssetFolder(join(BUILT, 'assets'), FOR_EVER);

  @Get()
  @Operation({
    name: 'admin',
    produces: [{ mediaType: HTML_TYPE }],
    ignoresQuery: true,
  })
  getPage(@UrlOfRoute() urlOf: UrlOf): ApiResponse {
    if (this.#page) return this.#page;
    // The base URL of all references in the page (HTML §4.2.3): the path of the site as browsers see it.
    const { pathname } = new URL(urlOf('admin'));
    const base = `<base href="${pathname.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`;
    const page = readFileSync(join(BUILT, 'index.html'), 'utf8').replace(/<base\b[^>]*>/, () => base);
    this.#page = assetResponse(page, `${HTML_TYPE}; charset=utf-8`, PAGE_FIELDS);
    return this.#page;
  }

  @Get('assets/:name')
  @Operation({ name: 'admin-assets', trailingSlash: false, ignoresQuery: true })
  getAsset(@Param('name') name: string): ApiResponse {
    return this.#assets.file(name);
  }

  /**
   * The paths of the site's own router: a reload or a link there gets the same page. It comes last, because it matches all
   * paths, and takes all methods, because a path that is not found is so for each of them.
   */
  @All('*path')
  @Access({ anyone: 'The page has no data, and its log-in needs it.' })
  getPageBelow(
    @Param('path') [folder = '']: string[],
    @Req() { method }: Request,
    @UrlOfRoute() urlOf: UrlOf,
  ): ApiResponse {
    if (LOADED.includes(folder.toLowerCase())) throw new NotFound();
    const allow = PAGE_METHODS.join(', ');
    if (!PAGE_METHODS.includes(method)) throw new MethodNotAllowed(method, allow);
    if (method === 'OPTIONS') return new ApiResponse({ status: 204, headers: { Allow: allow } });
    return this.getPage(urlOf);
  }
}
