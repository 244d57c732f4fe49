import { Controller, Get, Inject, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Operation } from '../../http/pipeline/operation.decorator.js';
import { RouteTable } from '../../http/pipeline/route-table.js';
import { HTML_TYPE } from '../../http/protocol/media-type.js';
import { FilePath } from '../../http/request/validation.js';
import type { ApiResponse } from '../../http/response/api-response.js';
import { assetResponse, toAsset } from '../../http/response/document-response.js';
import { pageFields } from '../../http/response/head.js';
import { NotFound } from '../../problem-details/problems.js';
import { type Settings, SETTINGS } from '../../settings/settings.js';
import { SiteFiles } from './site-files.js';

/**
 * Allows no external and no inline content. The hash is that of the empty style element that the site's component
 * library inserts. The library fills it through the CSSOM, which no policy restricts.
 */
const PAGE_FIELDS = pageFields([
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]);

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
    return assetResponse(toAsset(page, `${HTML_TYPE}; charset=utf-8`), PAGE_FIELDS);
  }

  @Get('assets/:name')
  @Operation({ name: 'admin-assets', trailingSlash: false, ignoresQuery: true })
  async getAsset(@Param() { name }: FilePath): Promise<ApiResponse> {
    return foundFile(await this.files.asset(name));
  }

  @Get('favicon.svg')
  @Operation({ name: 'admin-icon', trailingSlash: false, ignoresQuery: true })
  async getIcon(): Promise<ApiResponse> {
    return foundFile(await this.files.icon('favicon.svg'));
  }
}

/** @throws NotFound */
function foundFile(file: ApiResponse | undefined): ApiResponse {
  if (!file) throw new NotFound();
  return file;
}
