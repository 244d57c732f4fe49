import { Body, Controller, Headers, Post } from '@nestjs/common';
import {
  Access,
  type ApiResponse,
  CurrentClient,
  CurrentUser,
  IdempotencyKey,
  type IdempotentRequest,
  Operation,
  type RequestBody,
  type UrlOf,
  UrlOfRoute,
  WRITERS,
} from '../http/index.js';
import { JSON_TYPE, NDJSON_TYPE, prefers } from '../http/protocol/index.js';
import type { Client } from '../limits/index.js';
import { IdempotencyKeys } from '../idempotency/idempotency-keys.service.js';
import { CSV_TYPE } from '../posts/formats/list-representations.js';
import { AS_CSV, AS_NDJSON, ENCODINGS, text } from '../posts/post-documentation.js';
import type { User } from '../users/user.js';
import type { ImportResult } from './import-request.js';
import { importedResponse, mergedResponse } from './import-responses.js';
import { ImportResultDto } from './import-result.dto.js';
import { ImportsService } from './imports.service.js';

const POSTS_BODY = {
  description:
    'Or any number of posts as `application/x-ndjson` or `text/csv`. In these, `id`, `modified` and `etag` are ignored; ' +
    'but with `Prefer: resolution=merge-duplicates`, a line replaces the post that its `id` names, and with an `etag` ' +
    `only while the post has it (else 412). ${ENCODINGS}`,
  content: {
    [NDJSON_TYPE]: text(
      'Any number of posts, one a line. All are stored, or none. Blank lines are skipped. `application/jsonl` and `application/ndjson` mean the same.',
      AS_NDJSON,
    ),
    [CSV_TYPE]: text(
      'Any number of posts, one a record. All are stored, or none. The first record names the columns, in any order; ' +
        '`title` and `body` are required, and an empty `pub_date` means now.',
      AS_CSV,
    ),
  },
};

const IMPORTED = {
  description: 'For an import: the number of stored posts, and their lowest and highest id, without an ETag.',
  headers: ['Location', 'Idempotency-Replayed', 'Preference-Applied'],
  content: { [JSON_TYPE]: { type: ImportResultDto } },
} as const;

const MERGED = {
  description: 'An import with `Prefer: resolution=merge-duplicates` that created no post.',
  headers: ['Idempotency-Replayed', 'Preference-Applied'],
  content: {
    [JSON_TYPE]: {
      type: ImportResultDto,
      example: { created: 0, replaced: 1, unchanged: 2, first_id: null, last_id: null },
    },
  },
} as const;

/** Imports posts, at the path of the list. */
@Controller('posts')
export class PostImportsController {
  constructor(
    private readonly imports: ImportsService,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {}

  /** A part of the operation that stores a post, for bodies of many posts. */
  @Post()
  @Access(WRITERS)
  @Operation({
    name: 'post-list',
    parameters: ['Idempotency-Key', 'Prefer'],
    body: POSTS_BODY,
    streams: [NDJSON_TYPE, CSV_TYPE],
    takesIdempotencyKey: true,
    responses: { 200: MERGED, 201: IMPORTED },
    problems: [409, 412, 422],
  })
  importPosts(
    @Body() body: RequestBody,
    @Headers('prefer') prefer: string | undefined,
    @IdempotencyKey() key: IdempotentRequest | undefined,
    @CurrentUser() { author }: User,
    @CurrentClient() { address }: Client,
    @UrlOfRoute() urlOf: UrlOf,
  ): Promise<ApiResponse> {
    const merges = prefers(prefer, 'resolution', 'merge-duplicates');
    const request = { body, mediaType: body.mediaType, merges, author: { ...author, address } };
    const responseOf = merges ? mergedResponse : importedResponse;
    return this.idempotencyKeys.respondOnce(
      key,
      (hooks) => this.imports.store(request, hooks),
      (result: ImportResult) => responseOf(result, urlOf),
      body,
    );
  }
}
