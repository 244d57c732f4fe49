import { Global, Module } from '@nestjs/common';
import { OpenRequests } from './open-requests.js';

/** What every module may ask about the requests that are being answered. */
@Global()
@Module({ providers: [OpenRequests], exports: [OpenRequests] })
export class HttpModule {}
