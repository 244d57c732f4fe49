import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKeys } from './idempotency-keys.service.js';
import { UsedKey } from './used-key.entity.js';
import { UsedKeysRepository } from './used-keys.repository.js';

/** Provides {@link IdempotencyKeys} to the modules that handle POST requests. */
@Module({
  imports: [TypeOrmModule.forFeature([UsedKey])],
  providers: [IdempotencyKeys, UsedKeysRepository],
  exports: [IdempotencyKeys],
})
export class IdempotencyModule {}
