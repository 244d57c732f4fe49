import { ApiResponse, type UrlOf } from '../http/index.js';
import { JSON_TYPE } from '../http/protocol/index.js';
import type { ImportResultDto } from './import-result.dto.js';
import type { ImportResult } from './import-request.js';

const JSON_FIELDS = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-cache' };

/** 201 with the number of posts and their ids. */
export function importedResponse({ created, ids }: ImportResult, urlOf: UrlOf): ApiResponse {
  return new ApiResponse({
    status: 201,
    headers: { ...JSON_FIELDS, Location: urlOf('post-list') },
    body: JSON.stringify({ created, first_id: ids?.first ?? null, last_id: ids?.last ?? null }),
  });
}

/** 201, or 200 when no post was created, with the numbers of created, replaced and unchanged posts. */
export function mergedResponse(
  { created, replaced, unchanged, ids }: ImportResult,
  urlOf: UrlOf,
): ApiResponse {
  const result: ImportResultDto = {
    created,
    replaced,
    unchanged,
    first_id: ids?.first ?? null,
    last_id: ids?.last ?? null,
  };
  return new ApiResponse({
    status: created > 0 ? 201 : 200,
    headers: {
      ...JSON_FIELDS,
      'Preference-Applied': 'resolution=merge-duplicates',
      ...(created > 0 && { Location: urlOf('post-list') }),
    },
    body: JSON.stringify(result),
  });
}
