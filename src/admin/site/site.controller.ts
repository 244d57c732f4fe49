import { All, Controller, Get, Inject, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Answer } from '../../http/answer.js';
import { answerAsset, answerFile, toAsset } from '../../http/asset.js';
import { HTML_TYPE } from '../../http/media-types.js';
import { pageFields } from '../../http/security-fields.js';
import { SETTINGS } from '../../settings/settings.module.js';
import type { Settings } from '../../settings/settings.js';
import { SiteFiles } from './site-files.js';
import { sitePage } from './site.routes.js';

/**
 * Nothing from elsewhere, and nothing that stands in the page itself. The hash is that of the empty style element that
 * the site's components begin with; they fill it through the CSSOM, which no policy minds.
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

/** Serves the administration site: one page, and the files that it loads. */
@ApiExcludeController()
@Controller('admin')
export class SiteController {
  readonly #base: string;

  constructor(
    private readonly files: SiteFiles,
    @Inject(SETTINGS) { publicUrl, basePath }: Settings,
  ) {
    const prefix = publicUrl === undefined ? basePath : new URL(publicUrl).pathname.replace(/\/$/, '');
    this.#base = prefix + sitePage.path;
  }

  @Get()
  async getPage(): Promise<Answer> {
    const page = await this.files.page(this.#base);
    return answerAsset(toAsset(page, `${HTML_TYPE}; charset=utf-8`), PAGE_FIELDS);
  }

  @All('assets/:name')
  async getAsset(@Req() request: Request): Promise<Answer> {
    return answerFile(request, await this.files.asset(lastPart(request)));
  }

  @All('favicon.svg')
  async getIcon(@Req() request: Request): Promise<Answer> {
    return answerFile(request, await this.files.icon(lastPart(request)));
  }
}

/** Nothing in it is decoded: no name of a file needs that. */
function lastPart({ context }: Request): string {
  return context.fullPath.slice(context.fullPath.lastIndexOf('/') + 1);
}
