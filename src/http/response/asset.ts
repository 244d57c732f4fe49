import { ApiResponse, contentEntityTag } from './api-response.js';

/** A document that nothing which is stored can change. */
export interface Asset {
  readonly mediaType: string;
  readonly content: string | Buffer;
  readonly entityTag: string;
}

/** An asset, with the tag that its content has. */
export function toAsset(content: string | Buffer, mediaType: string): Asset {
  return { mediaType, content, entityTag: contentEntityTag(content) };
}

/** 200 with an asset. Clients keep it, and ask whether it still holds. */
export function assetResponse(
  { mediaType, content, entityTag }: Asset,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse {
  return new ApiResponse({
    status: 200,
    headers: {
      'Content-Type': mediaType,
      'Cache-Control': 'no-cache',
      Vary: 'Accept, Accept-Encoding',
      ...headers,
    },
    entityTag,
    body: content,
  });
}
