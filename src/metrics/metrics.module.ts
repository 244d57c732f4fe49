import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';

@Module({
  imports: [AccountsModule],
  controllers: [MetricsController],
  providers: [Metrics],
  exports: [Metrics],
})
export class MetricsModule {}
