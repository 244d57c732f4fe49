import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AccountNotFound,
  CurrentPasswordMissing,
  LastAccount,
  TooManyLogIns,
  UsernameTaken,
  WrongCurrentPassword,
} from '../../accounts/accounts.problems.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { SessionsService } from '../../accounts/sessions.service.js';
import { JSON_TYPE } from '../../http/protocol/media-type.js';
import type { Session } from '../../http/request/author.js';
import { ClientAddress, CurrentSession } from '../../http/request/handler-arguments.js';
import { IdPath } from '../../http/request/validation.js';
import { DATABASE_BUSY, UNKNOWN_PARAMETER } from '../../openapi/problem-response.js';
import { TAGS } from '../../openapi/tags.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { MIN_PASSWORD_CHARACTERS, PASSWORD_RULE } from '../../settings/credential-rules.js';
import { aCreation, AdminOperation, aJson } from '../admin-operation.js';
import { AccountChangeDto, NewAccountDto } from './account-input.dto.js';
import { AccountDto } from './account.dto.js';

class AccountPath {
  @IdPath({ description: 'The account.', example: 1 })
  id!: number;
}

const FAULTY_PASSWORD = new InvalidRequest([
  {
    detail: `The value ${PASSWORD_RULE}.`,
    code: 'too_short',
    limit: MIN_PASSWORD_CHARACTERS,
    pointer: '/password',
  },
]);

const AN_ACCOUNT = aJson('The account as it is now.', AccountDto);

@ApiTags(TAGS.accounts)
@Controller('admin/api/accounts')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
  ) {}

  @Get()
  @AdminOperation({
    name: 'admin-account-list',
    summary: 'List the accounts',
    responses: {
      200: aJson(
        'All accounts, by their user names.',
        [AccountDto],
        [
          {
            id: 1,
            username: 'admin',
            is_enabled: true,
            created_at: '2026-11-20T14:40:00.123Z',
            last_login_at: null,
          },
        ],
      ),
    },
    problems: { unknownParameter: UNKNOWN_PARAMETER, databaseBusy: DATABASE_BUSY },
  })
  async listAccounts(): Promise<AccountDto[]> {
    return (await this.accounts.list()).map((account) => AccountDto.from(account));
  }

  @Post()
  @AdminOperation({
    name: 'admin-account-list',
    summary: 'Add an account',
    body: { content: { [JSON_TYPE]: { type: NewAccountDto } } },
    responses: { 201: aCreation(AN_ACCOUNT) },
    location: (account: AccountDto) => ['admin-account-detail', account],
    problems: {
      faultyPassword: FAULTY_PASSWORD,
      unknownParameter: UNKNOWN_PARAMETER,
      usernameTaken: new UsernameTaken(),
      databaseBusy: DATABASE_BUSY,
    },
  })
  async createAccount(@Body() { username, password }: NewAccountDto): Promise<AccountDto> {
    return AccountDto.from(await this.accounts.add(username, password));
  }

  @Get(':id')
  @AdminOperation({
    name: 'admin-account-detail',
    summary: 'Read an account',
    responses: { 200: AN_ACCOUNT },
    problems: {
      unknownParameter: UNKNOWN_PARAMETER,
      accountNotFound: new AccountNotFound(7),
      databaseBusy: DATABASE_BUSY,
    },
  })
  async getAccount(@Param() { id }: AccountPath): Promise<AccountDto> {
    return AccountDto.from(await this.accounts.findOrFail(id));
  }

  @Put(':id')
  @AdminOperation({
    name: 'admin-account-detail',
    summary: 'Change an account',
    description:
      'Disabling an account, or giving it a password, ends its sessions at once, on every instance of the service; ' +
      'disabling it also revokes the API tokens that it has made; ' +
      'one’s own password is changed by who knows it, and that ends the session of the request, too.',
    body: { content: { [JSON_TYPE]: { type: AccountChangeDto } } },
    responses: { 200: AN_ACCOUNT },
    problems: {
      faultyPassword: FAULTY_PASSWORD,
      wrongCurrentPassword: new WrongCurrentPassword(),
      unknownParameter: UNKNOWN_PARAMETER,
      accountNotFound: new AccountNotFound(7),
      lastAccount: new LastAccount(),
      tooManyLogIns: new TooManyLogIns(8),
      databaseBusy: DATABASE_BUSY,
    },
  })
  async changeAccount(
    @Param() { id }: AccountPath,
    @Body() { is_enabled: isEnabled, password, current_password: current }: AccountChangeDto,
    @CurrentSession() session: Session,
    @ClientAddress() client: string,
  ): Promise<AccountDto> {
    const isOwn = id === session.account.id;
    if (password !== undefined && isOwn) await this.#assertKnown(id, current, client);
    return AccountDto.from(await this.accounts.change(id, { isEnabled, password }));
  }

  /** Whoever finds a browser that somebody is logged in with does not get to keep the account. */
  async #assertKnown(id: number, password: string | undefined, client: string): Promise<void> {
    if (password === undefined) throw new CurrentPasswordMissing();
    const account = await this.accounts.findOrFail(id);
    if (!(await this.sessions.isPasswordOf(account, password, client))) throw new WrongCurrentPassword();
  }
}
