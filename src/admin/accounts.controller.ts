import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { OmitType, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import type { Account } from '../accounts/account.entity.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { SessionsService } from '../accounts/sessions.service.js';
import { type LoggedInUser, type Role, ROLES } from '../users/user.js';
import { CurrentUser, Access, CurrentClient } from '../http/index.js';
import { Optional } from '../input/index.js';
import type { Client } from '../limits/index.js';
import { AdminOperation } from './admin-operation.js';
import { IdPathDto, IsCurrentPassword, IsName, IsPassword } from './input-rules.js';

export type AccountDto = ReturnType<typeof toAccountDto>;

/** An account as administrators see it, without its password hash. */
function toAccountDto({ id, username, role, isEnabled, createdAt, lastLoginAt }: Account) {
  return {
    id,
    username,
    role,
    is_enabled: isEnabled === 1,
    created_at: createdAt,
    /** Null before the first log-in. */
    last_login_at: lastLoginAt,
  };
}

/** A new password of the account that sends the request. */
class OwnPasswordDto {
  @IsPassword()
  password!: string;

  @IsCurrentPassword()
  current_password!: string;

  /** Whether to revoke the API tokens that the account made. */
  @Optional()
  @IsBoolean()
  revoke_tokens?: boolean;
}

class NewAccountDto extends OmitType(OwnPasswordDto, ['revoke_tokens']) {
  @IsName()
  username!: string;

  @Optional()
  @IsIn(ROLES)
  role?: Role;
}

/**
 * Changes of an account. Members that are left out do not change. `current_password` is required with `password`, and to
 * make or enable an administrator.
 */
export class AccountChangeDto extends PartialType(OwnPasswordDto, { skipNullProperties: false }) {
  @Optional()
  @IsIn(ROLES)
  role?: Role;

  @Optional()
  @IsBoolean()
  is_enabled?: boolean;
}

@Controller('admin/api/accounts')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
  ) {}

  @Get()
  @Access({ session: 'administrator' })
  @AdminOperation({ name: 'admin-account-list' })
  async listAccounts(@CurrentClient() client: Client): Promise<AccountDto[]> {
    return (await this.accounts.list(client)).map(toAccountDto);
  }

  @Post()
  @Access({ session: 'administrator' })
  @AdminOperation({
    name: 'admin-account-list',
    location: (account: AccountDto) => ['admin-account-detail', account],
  })
  async createAccount(
    @Body() { username, password, role = 'viewer', current_password: current }: NewAccountDto,
    @CurrentUser() user: LoggedInUser,
    @CurrentClient() client: Client,
  ): Promise<AccountDto> {
    const verified = await this.sessions.verifyPassword(user, current, client);
    const by = { author: user.author, verified, client };
    return toAccountDto(await this.accounts.add({ username, password, role }, by));
  }

  @Put('current')
  @Access({ session: 'viewer' })
  @AdminOperation({ name: 'admin-account-current' })
  async changeOwnPassword(
    @Body() { password, current_password: current, revoke_tokens: revokesTokens }: OwnPasswordDto,
    @CurrentUser() user: LoggedInUser,
    @CurrentClient() client: Client,
  ): Promise<AccountDto> {
    const verified = await this.sessions.verifyPassword(user, current, client);
    const change = { password, revokesTokens };
    return toAccountDto(await this.accounts.changeOwnPassword(verified, change, user.author, client));
  }

  @Put(':id')
  @Access({ session: 'administrator' })
  @AdminOperation({ name: 'admin-account-detail' })
  async changeAccount(
    @Param() { id }: IdPathDto,
    @Body()
    {
      current_password: current,
      is_enabled: isEnabled,
      revoke_tokens: revokesTokens,
      ...rest
    }: AccountChangeDto,
    @CurrentUser() user: LoggedInUser,
    @CurrentClient() client: Client,
  ): Promise<AccountDto> {
    const verified =
      current === undefined ? undefined : await this.sessions.verifyPassword(user, current, client);
    const change = { ...rest, isEnabled, revokesTokens };
    const by = { author: user.author, verified, client };
    return toAccountDto(await this.accounts.change(id, change, by));
  }
}
