import { Global, Module } from '@nestjs/common';
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
import { IssuedTokens } from '../users/user.js';

const SERVICES = [PasswordHasher, AccountsService, SessionsService, ApiTokensService, TokensRepository];

/**
 * Accounts of the administration site, their sessions and the API tokens they create. Global, because the HTTP layer
 * authenticates with them, and depends on no module of the application.
 */
@Global()
@Module({
  imports: [HistoryModule, TypeOrmModule.forFeature([Account, Session, ApiToken])],
  providers: [...SERVICES, LogInLimits, { provide: IssuedTokens, useExisting: TokensRepository }],
  exports: [...SERVICES, IssuedTokens],
})
export class AccountsModule {}
