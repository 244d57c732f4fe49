import { ApiResponse, contentEntityTag } from './api-response.js';

/** 200 with an asset, whose entity tag is derived from its content. Clients cache it and revalidate it. */
export function assetResponse(
  content: string | Buffer,
  mediaType: string,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse {
  return new ApiResponse({
    headers: { 'Content-Type': mediaType, 'Cache-Control': 'no-cache', ...headers },
    entityTag: contentEntityTag(content),
    body: content,
  });
}
