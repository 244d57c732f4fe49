import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logging.module.js';
import { ProblemDetailsFilter } from './problem-details.filter.js';
import { ProblemsController } from './problems.controller.js';

/** The one way out for errors, and what explains them. */
@Module({
  controllers: [ProblemsController],
  providers: [
    { provide: APP_FILTER, inject: [LOGGER], useFactory: (logger: Logger) => new ProblemDetailsFilter(logger) },
  ],
})
export class ProblemDetailsModule {}
