import type { Request } from 'express';
import { MethodNotAllowed, NotFound } from '../problem-details/problems.js';
import { Answer, contentEntityTag } from './answer.js';

const FILE_METHODS = 'GET, HEAD, OPTIONS';

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
export function answerAsset(
  { mediaType, content, entityTag }: Asset,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return new Answer({
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

/**
 * Answers at a path that stands for many files, whose route leaves the methods to its handler.
 *
 * @param file what a GET is answered with; undefined when there is none of the name
 * @throws NotFound
 * @throws MethodNotAllowed
 */
export function answerFile({ method }: Request, file: Answer | undefined): Answer {
  if (!file) throw new NotFound();
  if (method === 'OPTIONS') return new Answer({ status: 204, headers: { Allow: FILE_METHODS } });
  if (method !== 'GET' && method !== 'HEAD') throw new MethodNotAllowed(method, FILE_METHODS);
  return file;
}
