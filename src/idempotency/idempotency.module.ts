import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKeys } from './idempotency-keys.service.js';
import { UsedKey } from './used-key.entity.js';

/** Provides {@link IdempotencyKeys} to the modules that handle POST requests. */
@Module({
  imports: [TypeOrmModule.forFeature([UsedKey])],
  providers: [IdempotencyKeys],
  exports: [IdempotencyKeys],
})
export class IdempotencyModule {}
