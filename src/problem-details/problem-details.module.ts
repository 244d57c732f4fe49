import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ProblemDetailsFilter } from './problem-details.filter.js';
import { ProblemsController } from './problems.controller.js';

/** Provides the error filter and the pages that explain the kinds of problem. */
@Module({
  controllers: [ProblemsController],
  providers: [ProblemDetailsFilter, { provide: APP_FILTER, useExisting: ProblemDetailsFilter }],
  exports: [ProblemDetailsFilter],
})
export class ProblemDetailsModule {}
