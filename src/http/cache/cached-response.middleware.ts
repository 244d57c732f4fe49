import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ResponseCache } from './response-cache.js';
import { ResponseWriter } from '../response/response-writer.js';

/** Sends the response that is in the cache, without a promise, or waits for the request that is about to build it. */
@Injectable()
export class CachedResponseMiddleware implements NestMiddleware<Request, Response> {
  constructor(
    private readonly cache: ResponseCache,
    private readonly writer: ResponseWriter,
  ) {}

  /** @throws PreconditionFailed @throws InvalidRequest */
  async use(request: Request, response: Response, next: () => void): Promise<void> {
    const kept = this.cache.find(request);
    const cached = kept instanceof Promise ? await kept : kept;
    if (!cached) return next();
    request.context.isFromCache = true;
    return this.writer.send(request, response, cached);
  }
}
