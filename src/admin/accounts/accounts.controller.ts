import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AccountNotFound,
  CURRENT_PASSWORD_MISSING,
  LastAdministrator,
  TooManyLogIns,
  UsernameTaken,
  WRONG_CURRENT_PASSWORD,
} from '../../accounts/accounts.problems.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { SessionsService } from '../../accounts/sessions.service.js';
import { JSON_TYPE } from '../../http/protocol/media-type.js';
import type { Author, LoginSession } from '../../http/request/author.js';
import { CurrentAuthor, CurrentSession, InputFaults } from '../../http/request/handler-arguments.js';
import { IdPath } from '../../http/request/validation.js';
import { UNKNOWN_PARAMETER } from '../../openapi/problem-response.js';
import type { InputFault } from '../../problem-details/problem.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { MIN_PASSWORD_CHARACTERS, PASSWORD_RULE } from '../../settings/credential-rules.js';
import { aCreation, AdminOperation, aJson } from '../admin-operation.js';
import { AccountChangeDto, AccountDto, NewAccountDto, OwnPasswordDto } from './account.dto.js';

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

const PASSWORD_PROBLEMS = {
  faultyPassword: FAULTY_PASSWORD,
  wrongCurrentPassword: new InvalidRequest([WRONG_CURRENT_PASSWORD]),
  unknownParameter: UNKNOWN_PARAMETER,
  tooManyLogIns: new TooManyLogIns(8),
};

const AN_ACCOUNT = aJson('The account as it is now.', AccountDto);

@ApiTags('accounts')
@Controller('admin/api/accounts')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
  ) {}

  @Get()
  @AdminOperation({
    name: 'admin-account-list',
    access: 'administrator',
    summary: 'List the accounts',
    responses: {
      200: aJson(
        'All accounts, by their user names.',
        [AccountDto],
        [
          {
            id: 1,
            username: 'admin',
            role: 'administrator',
            is_enabled: true,
            created_at: '2026-11-20T14:40:00.123Z',
            last_login_at: null,
          },
        ],
      ),
    },
  })
  async listAccounts(): Promise<AccountDto[]> {
    return (await this.accounts.list()).map((account) => AccountDto.from(account));
  }

  @Post()
  @AdminOperation({
    name: 'admin-account-list',
    access: 'administrator',
    summary: 'Add an account',
    description: 'All faults are reported at once, including a wrong `current_password` and a taken name.',
    addsFaults: true,
    body: { content: { [JSON_TYPE]: { type: NewAccountDto } } },
    responses: { 201: aCreation(AN_ACCOUNT) },
    location: (account: AccountDto) => ['admin-account-detail', account],
    problems: { ...PASSWORD_PROBLEMS, usernameTaken: new UsernameTaken() },
  })
  async createAccount(
    @Body() { username, password, role = 'viewer', current_password: current }: NewAccountDto,
    @InputFaults() found: readonly InputFault[],
    @CurrentSession() session: LoginSession,
    @CurrentAuthor() author: Author,
  ): Promise<AccountDto> {
    const faults = [...found, ...(await this.#currentPasswordFaults(session, current, author))];
    if (faults.length > 0) {
      const isTaken = typeof username === 'string' && (await this.accounts.isTaken(username));
      throw new InvalidRequest(isTaken ? [...faults, UsernameTaken.FAULT] : faults);
    }
    return AccountDto.from(await this.accounts.add({ username, password, role }, author));
  }

  @Put('current')
  @AdminOperation({
    name: 'admin-account-current',
    access: 'viewer',
    summary: 'Change your own password',
    description: 'It ends all sessions of the account, including that of the request.',
    body: { content: { [JSON_TYPE]: { type: OwnPasswordDto } } },
    responses: { 200: AN_ACCOUNT },
    problems: PASSWORD_PROBLEMS,
  })
  async changeOwnPassword(
    @Body() { password, current_password: current }: OwnPasswordDto,
    @CurrentSession() session: LoginSession,
    @CurrentAuthor() author: Author,
  ): Promise<AccountDto> {
    const account = await this.sessions.verifyPassword(session, current, author);
    const changed = account && (await this.accounts.changeOwnPassword(account, password, author));
    if (!changed) throw new InvalidRequest([WRONG_CURRENT_PASSWORD]);
    return AccountDto.from(changed);
  }

  @Get(':id')
  @AdminOperation({
    name: 'admin-account-detail',
    access: 'administrator',
    summary: 'Read an account',
    responses: { 200: AN_ACCOUNT },
    problems: {
      unknownParameter: UNKNOWN_PARAMETER,
      accountNotFound: new AccountNotFound(7),
    },
  })
  async getAccount(@Param() { id }: AccountPath): Promise<AccountDto> {
    return AccountDto.from(await this.accounts.findOrFail(id));
  }

  @Put(':id')
  @AdminOperation({
    name: 'admin-account-detail',
    access: 'administrator',
    summary: 'Change an account',
    description:
      'Disabling an account, or giving it a password, ends its sessions at once, on every instance of the service; ' +
      'disabling it also revokes the API tokens that it has made. A new role holds at once for all its sessions. ' +
      'Changing a password needs the password of the administrator who changes it.',
    body: { content: { [JSON_TYPE]: { type: AccountChangeDto } } },
    responses: { 200: AN_ACCOUNT },
    problems: {
      ...PASSWORD_PROBLEMS,
      accountNotFound: new AccountNotFound(7),
      lastAdministrator: new LastAdministrator('role'),
    },
  })
  async changeAccount(
    @Param() { id }: AccountPath,
    @Body() { role, is_enabled: isEnabled, password, current_password: current }: AccountChangeDto,
    @CurrentSession() session: LoginSession,
    @CurrentAuthor() author: Author,
  ): Promise<AccountDto> {
    if (password !== undefined) {
      const faults =
        current === undefined
          ? [CURRENT_PASSWORD_MISSING]
          : await this.#currentPasswordFaults(session, current, author);
      if (faults.length > 0) throw new InvalidRequest(faults);
    }
    return AccountDto.from(await this.accounts.change(id, { isEnabled, password, role }, author));
  }

  /**
   * A stolen session alone must not be enough to take over an account.
   *
   * @param current undefined when the missing password is already reported as a fault
   */
  async #currentPasswordFaults(
    session: LoginSession,
    current: unknown,
    author: Author,
  ): Promise<InputFault[]> {
    if (typeof current !== 'string') return [];
    return (await this.sessions.verifyPassword(session, current, author)) ? [] : [WRONG_CURRENT_PASSWORD];
  }
}
