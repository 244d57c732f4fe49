import {
  AccountNotFound,
  LastAccount,
  TooManyLogIns,
  UsernameTaken,
  WrongCurrentPassword,
} from '../../accounts/accounts.problems.js';
import { JSON_TYPE } from '../../http/media-types.js';
import { Documented } from '../../openapi/documented.decorator.js';
import { DATABASE_BUSY, UNKNOWN_PARAMETER } from '../../openapi/problem-samples.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { PASSWORD_RULE } from '../../settings/credential-rules.js';
import { aCreation, aJson, idParameter } from '../json-answers.docs.js';
import { AccountChangeDto, NewAccountDto } from './account-input.dto.js';
import { AccountDto } from './account.dto.js';

const ACCOUNT_ID = idParameter('The account.');

const FAULTY_PASSWORD = new InvalidRequest([{ detail: `The value ${PASSWORD_RULE}.`, pointer: '/password' }]);

const AN_ACCOUNT = aJson('The account as it is now.', AccountDto);

export function DocumentsAccounts(): MethodDecorator {
  return Documented({
    summary: 'List the accounts',
    answers: {
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
  });
}

export function DocumentsAccount(): MethodDecorator {
  return Documented({
    summary: 'Read an account',
    parameters: [ACCOUNT_ID],
    answers: { 200: AN_ACCOUNT },
    problems: {
      unknownParameter: UNKNOWN_PARAMETER,
      accountNotFound: new AccountNotFound(7),
      databaseBusy: DATABASE_BUSY,
    },
  });
}

export function DocumentsNewAccount(): MethodDecorator {
  return Documented({
    summary: 'Add an account',
    body: { content: { [JSON_TYPE]: { type: NewAccountDto } } },
    answers: { 201: aCreation(AN_ACCOUNT) },
    problems: {
      faultyPassword: FAULTY_PASSWORD,
      unknownParameter: UNKNOWN_PARAMETER,
      usernameTaken: new UsernameTaken(),
      databaseBusy: DATABASE_BUSY,
    },
  });
}

export function DocumentsAccountChange(): MethodDecorator {
  return Documented({
    summary: 'Change an account',
    description:
      'Disabling an account, or giving it a password, ends its sessions at once, on every instance of the service; ' +
      'disabling it also revokes the API tokens that it has made; ' +
      'one’s own password is changed by who knows it, and that ends the session of the request, too.',
    parameters: [ACCOUNT_ID],
    body: { content: { [JSON_TYPE]: { type: AccountChangeDto } } },
    answers: { 200: AN_ACCOUNT },
    problems: {
      faultyPassword: FAULTY_PASSWORD,
      wrongCurrentPassword: new WrongCurrentPassword(),
      unknownParameter: UNKNOWN_PARAMETER,
      accountNotFound: new AccountNotFound(7),
      lastAccount: new LastAccount(),
      tooManyLogIns: new TooManyLogIns(8),
      databaseBusy: DATABASE_BUSY,
    },
  });
}
