import { Inject, Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Logger } from 'pino';
import { createLogger } from './logger.js';
import { LOGGER, LoggingModule } from './logging.module.js';

@Injectable()
class Writer {
  constructor(@Inject(LOGGER) readonly logger: Logger) {}
}

@Module({ providers: [Writer] })
class WriterModule {}

describe('LoggingModule', () => {
  it('offers the logger to modules that do not import it', async () => {
    const logger = createLogger({ logLevel: 'silent', logFormat: 'json' });
    const app = await Test.createTestingModule({
      imports: [LoggingModule.of(logger), WriterModule],
    }).compile();
    expect(app.get(Writer).logger).toBe(logger);
    await app.close();
  });
});
