import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { AccountsService } from '../../accounts/accounts.service.js';
import { ApiTokensService } from '../../accounts/api-tokens.service.js';
import { SessionsService } from '../../accounts/sessions.service.js';
import type { LoggedInUser } from '../../http/request/author.js';
import { CurrentUser } from '../../http/request/handler-arguments.js';
import { AdminOperation } from '../admin-operation.js';
import { type ApiTokenDto, toApiTokenDto } from '../api-token.dto.js';
import { IdPathDto } from '../input-rules.js';
import {
  AccountChangeDto,
  type AccountDto,
  NewAccountDto,
  OwnPasswordDto,
  toAccountDto,
} from './account.dto.js';
import { Roles } from '../../http/request/roles.guard.js';

@Controller('admin/api/accounts')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
    private readonly tokens: ApiTokensService,
  ) {}

  @Get()
  @Roles('administrator')
  @AdminOperation({ name: 'admin-account-list' })
  async listAccounts(): Promise<AccountDto[]> {
    return (await this.accounts.list()).map(toAccountDto);
  }

  @Post()
  @Roles('administrator')
  @AdminOperation({
    name: 'admin-account-list',
    location: (account: AccountDto) => ['admin-account-detail', account],
  })
  async createAccount(
    @Body() { username, password, role = 'viewer', current_password: current }: NewAccountDto,
    @CurrentUser() user: LoggedInUser,
  ): Promise<AccountDto> {
    const verified = await this.sessions.verifyPassword(user, current);
    return toAccountDto(await this.accounts.add({ username, password, role }, user.author, verified));
  }

  @Put('current')
  @Roles('viewer')
  @AdminOperation({ name: 'admin-account-current' })
  async changeOwnPassword(
    @Body() { password, current_password: current, revoke_tokens: revokesTokens }: OwnPasswordDto,
    @CurrentUser() user: LoggedInUser,
  ): Promise<AccountDto> {
    const verified = await this.sessions.verifyPassword(user, current);
    return toAccountDto(
      await this.accounts.changeOwnPassword(verified, { password, revokesTokens }, user.author),
    );
  }

  /** The API tokens that the account of the session made. */
  @Get('current/tokens')
  @Roles('viewer')
  @AdminOperation({ name: 'admin-account-token-list' })
  async listOwnTokens(@CurrentUser() { session: { account } }: LoggedInUser): Promise<ApiTokenDto[]> {
    return (await this.tokens.list(account.username)).map(toApiTokenDto);
  }

  @Get(':id')
  @Roles('administrator')
  @AdminOperation({ name: 'admin-account-detail' })
  async getAccount(@Param() { id }: IdPathDto): Promise<AccountDto> {
    return toAccountDto(await this.accounts.findOrFail(id));
  }

  @Put(':id')
  @Roles('administrator')
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
  ): Promise<AccountDto> {
    const verified = current === undefined ? undefined : await this.sessions.verifyPassword(user, current);
    return toAccountDto(
      await this.accounts.change(id, { ...rest, isEnabled, revokesTokens }, user.author, verified),
    );
  }
}
