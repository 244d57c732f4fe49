import { Controller, Post } from '@nestjs/common';
import { NDJSON_TYPE } from '../http/protocol/media-type.js';
import type { RequestBodyStream } from '../http/request/request-body-stream.js';
import { BodyStream } from '../http/request/handler-arguments.js';
import { BODY_MISSING } from '../http/request/input-reader.js';
import { type ImportCheck, ImportsService } from '../imports/imports.service.js';
import { InvalidRequest } from '../problem-details/problems.js';
import { AdminOperation } from './admin-operation.js';
import { Roles } from '../http/request/roles.js';

export type ImportCheckDto = ImportCheck;

@Controller('admin/api/import-checks')
export class ImportChecksController {
  constructor(private readonly imports: ImportsService) {}

  /** Reads any number of posts, one a line, by the rules of `POST /posts/`, and stores nothing. */
  @Post()
  @Roles('editor')
  @AdminOperation({ name: 'admin-import-check-list', streams: [NDJSON_TYPE] })
  checkImport(@BodyStream() lines: RequestBodyStream | undefined): Promise<ImportCheckDto> {
    if (!lines) throw new InvalidRequest([BODY_MISSING]);
    return this.imports.check(lines, lines.share);
  }
}
