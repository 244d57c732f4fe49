import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HistoryModule } from '../history/history.module.js';
import { Account } from './account.entity.js';
import { AccountsService } from './accounts.service.js';
import { ApiToken } from './api-token.entity.js';
import { ApiTokensService } from './api-tokens.service.js';
import { LogInLimits } from './log-in-limits.js';
import { PasswordHasher } from './password-hasher.js';
import { Session } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { TokensRepository } from './tokens.repository.js';

const SERVICES = [PasswordHasher, AccountsService, SessionsService, ApiTokensService, TokensRepository];

/** Accounts of the administration site, their sessions and the API tokens they create. */
@Module({
  imports: [HistoryModule, TypeOrmModule.forFeature([Account, Session, ApiToken])],
  providers: [...SERVICES, LogInLimits],
  exports: SERVICES,
})
export class AccountsModule {}
