import type { LastModified } from '../protocol/last-modified.js';
import { ApiResponse, type BodyStream } from './api-response.js';

/** A 200 response with a body of any length. */
export class StreamedResponse extends ApiResponse {
  constructor(
    headers: Readonly<Record<string, string>>,
    entityTag: string | undefined,
    body: BodyStream,
    lastModified?: LastModified,
  ) {
    super({ headers, entityTag, body, lastModified });
  }
}
