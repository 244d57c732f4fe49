import { Controller, Get, Post, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentPasswordMissing, WrongCurrentPassword } from '../../accounts/accounts.problems.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { SessionsService } from '../../accounts/sessions.service.js';
import type { Answer } from '../../http/answer.js';
import { clientOf } from '../../http/client-address.js';
import { InputReader, noInput, NoQuery } from '../../http/input-reader.js';
import type { RequestContext } from '../../http/request-context.js';
import { pathOf } from '../../http/route.js';
import { TAGS } from '../../openapi/tags.js';
import { answerCreated, answerJson } from '../json-answers.js';
import { AccountChangeDto, NewAccountDto } from './account-input.dto.js';
import { AccountDto } from './account.dto.js';
import {
  DocumentsAccount,
  DocumentsAccountChange,
  DocumentsAccounts,
  DocumentsNewAccount,
} from './accounts.docs.js';
import { accountDetail } from './accounts.routes.js';

const createInput = new InputReader({ query: NoQuery, body: NewAccountDto });
const changeInput = new InputReader({ query: NoQuery, body: AccountChangeDto });

@ApiTags(TAGS.accounts)
@Controller('admin/api/accounts')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
  ) {}

  @Get()
  @DocumentsAccounts()
  async listAccounts(@Req() { context }: Request): Promise<Answer> {
    noInput.read(context);
    const accounts = await this.accounts.list();
    return answerJson(accounts.map((account) => AccountDto.from(account)));
  }

  @Post()
  @DocumentsNewAccount()
  async createAccount(@Req() { context }: Request): Promise<Answer> {
    const { body } = createInput.read(context);
    const account = await this.accounts.add(body.username, body.password);
    return answerCreated(AccountDto.from(account), context.baseUrl + pathOf(accountDetail, account));
  }

  @Get(':id')
  @DocumentsAccount()
  async getAccount(@Req() { context }: Request): Promise<Answer> {
    noInput.read(context);
    return answerJson(AccountDto.from(await this.accounts.findOrFail(idOf(context))));
  }

  @Put(':id')
  @DocumentsAccountChange()
  async changeAccount(@Req() request: Request): Promise<Answer> {
    const { context } = request;
    const { is_enabled: isEnabled, password, current_password: current } = changeInput.read(context).body;
    const id = idOf(context);
    const isOwn = id === context.session!.account.id;
    if (password !== undefined && isOwn) await this.#assertKnown(id, current, request);
    return answerJson(AccountDto.from(await this.accounts.change(id, { isEnabled, password })));
  }

  /** Whoever finds a browser that somebody is logged in with does not get to keep the account. */
  async #assertKnown(id: number, password: string | undefined, { ip }: Request): Promise<void> {
    if (password === undefined) throw new CurrentPasswordMissing();
    const account = await this.accounts.findOrFail(id);
    if (!(await this.sessions.isPasswordOf(account, password, clientOf(ip))))
      throw new WrongCurrentPassword();
  }
}

/** What the route has let through is an id. */
function idOf({ parameters }: RequestContext): number {
  return Number(parameters['id']);
}
