import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKeys } from './idempotency-keys.service.js';
import { UsedKey } from './used-key.entity.js';
import { UsedKeysRepository } from './used-keys.repository.js';

/** Offers {@link IdempotencyKeys} to whatever is posted to. */
@Module({
  imports: [TypeOrmModule.forFeature([UsedKey])],
  providers: [IdempotencyKeys, UsedKeysRepository],
  exports: [IdempotencyKeys],
})
export class IdempotencyModule {}
