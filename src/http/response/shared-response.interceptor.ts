import {
  type CallHandler,
  type ExecutionContext,
  HttpStatus,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { firstValueFrom, from, map, type Observable } from 'rxjs';
import type { ApiResponse } from './api-response.js';
import { ResponseCache } from './response-cache.js';
import { toResponse } from './to-response.js';

/**
 * Lets requests for the same cacheable response share it. Only for operations that take longer than an interceptor: it
 * adds some 40 µs to each request.
 */
@Injectable()
export class SharedResponseInterceptor implements NestInterceptor<unknown, ApiResponse> {
  constructor(private readonly cache: ResponseCache) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<ApiResponse> {
    const request = execution.switchToHttp().getRequest<Request>();
    const response = next.handle().pipe(map((value: unknown) => toResponse(value, HttpStatus.OK, request)));
    return from(this.cache.share(request.context.cacheSlot!, () => firstValueFrom(response)));
  }
}
