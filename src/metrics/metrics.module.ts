import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { DatabaseStateRepository } from './database-state.repository.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';

@Module({
  imports: [AccountsModule],
  controllers: [MetricsController],
  providers: [Metrics, DatabaseStateRepository],
  exports: [Metrics],
})
export class MetricsModule {}
