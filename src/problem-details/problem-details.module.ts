import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ProblemDetailsFilter } from './problem-details.filter.js';
import { ProblemsController } from './problems.controller.js';

/** The one way out for errors, and what explains them. */
@Module({
  controllers: [ProblemsController],
  providers: [ProblemDetailsFilter, { provide: APP_FILTER, useExisting: ProblemDetailsFilter }],
})
export class ProblemDetailsModule {}
