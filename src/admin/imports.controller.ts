import { Body, Controller, HttpCode, HttpStatus, Post, Query } from '@nestjs/common';
import { IsIn } from 'class-validator';
import { JSON_TYPE } from '../http/protocol/index.js';
import type { Client } from '../limits/index.js';
import type { User } from '../users/user.js';
import {
  Access,
  ApiResponse,
  CurrentClient,
  CurrentUser,
  IdempotencyKey,
  type IdempotentRequest,
  type RequestBody,
} from '../http/index.js';
import { Optional } from '../input/index.js';
import { IdempotencyKeys } from '../idempotency/idempotency-keys.service.js';
import { type ImportCheck, ImportsService } from '../imports/imports.service.js';
import type { ImportResult, ImportSource } from '../imports/import-request.js';
import { AdminOperation } from './admin-operation.js';

export type ImportCheckDto = ImportCheck;
export type FileImportDto = ImportResult;

class ImportQuery {
  /** `replace`: lines with the id of a post replace it. Otherwise ids are ignored, and all posts are new. */
  @Optional()
  @IsIn(['ignore', 'replace'])
  ids?: 'ignore' | 'replace';

  /** Rows whose posts were changed or deleted after the export: `skip` leaves them out, and is the default. */
  @Optional()
  @IsIn(['skip', 'import'])
  conflicts?: 'skip' | 'import';
}

/** A file of any name and type: its content shows what it is. */
const FILE = ['application/octet-stream'];

/** Imports of files as people make them, which may come from a spreadsheet. */
@Controller('admin/api')
export class ImportsController {
  constructor(
    private readonly imports: ImportsService,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {}

  /** What an import of the file would do. Stores nothing. */
  @Post('import-checks')
  @HttpCode(HttpStatus.OK)
  @Access({ session: 'editor' })
  @AdminOperation({ name: 'admin-import-check-list', streams: FILE })
  checkImport(@Query() query: ImportQuery, @Body() file: RequestBody): Promise<ImportCheckDto> {
    return this.imports.check(sourceOf(file, query));
  }

  /** Stores all posts of the file, or none. */
  @Post('imports')
  @Access({ session: 'editor' })
  @AdminOperation({ name: 'admin-import-list', streams: FILE, takesIdempotencyKey: true })
  importFile(
    @Query() query: ImportQuery,
    @Body() file: RequestBody,
    @IdempotencyKey() key: IdempotentRequest | undefined,
    @CurrentUser() { author }: User,
    @CurrentClient() { address }: Client,
  ): Promise<ApiResponse> {
    const request = { ...sourceOf(file, query), author: { ...author, address } };
    return this.idempotencyKeys.respondOnce(
      key,
      (hooks) => this.imports.store(request, hooks),
      importResponse,
      file,
    );
  }
}

function importResponse(result: FileImportDto): ApiResponse {
  return new ApiResponse({
    headers: { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' },
    body: JSON.stringify(result),
  });
}

function sourceOf(file: RequestBody, { ids, conflicts }: ImportQuery): ImportSource {
  return { body: file, replaces: ids === 'replace', overrides: conflicts === 'import' };
}
