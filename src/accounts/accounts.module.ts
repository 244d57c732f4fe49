import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HistoryModule } from '../history/history.module.js';
import { Account, Secret, Session } from './account.entity.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { ApiToken } from './api-token.entity.js';
import { ApiTokensRepository } from './api-tokens.repository.js';
import { ApiTokensService, IssuedTokensService } from './api-tokens.service.js';
import { FirstAccountService } from './first-account.service.js';
import { LogInLimits } from './log-in-limits.js';
import { PasswordHasher } from './password-hasher.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

/** Accounts of the administration site, their sessions and the API tokens they create. */
@Module({
  imports: [HistoryModule, TypeOrmModule.forFeature([Account, Session, ApiToken, Secret])],
  providers: [
    AccountsRepository,
    SessionsRepository,
    ApiTokensRepository,
    PasswordHasher,
    LogInLimits,
    AccountsService,
    SessionsService,
    ApiTokensService,
    IssuedTokensService,
    FirstAccountService,
  ],
  exports: [AccountsService, SessionsService, ApiTokensService, IssuedTokensService, SessionsRepository],
})
export class AccountsModule {}
