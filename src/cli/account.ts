import type { Account } from '../accounts/account.entity.js';
import type { AccountsService } from '../accounts/accounts.service.js';
import { isPassword, isUsername, PASSWORD_RULE, USERNAME_RULE } from '../settings/credential-rules.js';
import { loadSettings } from '../settings/load-settings.js';
import { type Command, UsageError } from './command.js';
import { assertExists } from './command-database.js';
import { readNewPassword } from './password-input.js';

/** What can be done to the account of a name. @returns what was done */
type Action = (accounts: AccountsService, username: string, password: string) => Promise<string>;

const ACTIONS: Readonly<Record<string, { readonly needsPassword?: boolean; readonly run: Action }>> = {
  add: {
    needsPassword: true,
    run: async (accounts, username, password) => {
      const account = await accounts.add(username, password);
      return `The account ${account.username} was added.`;
    },
  },
  password: {
    needsPassword: true,
    run: async (accounts, username, password) => {
      const { id } = await find(accounts, username);
      await accounts.change(id, { password });
      return `The account ${username} has a new password; whoever was logged in to it is not any more.`;
    },
  },
  enable: {
    run: async (accounts, username) => {
      const { id } = await find(accounts, username);
      await accounts.change(id, { isEnabled: true });
      return `The account ${username} is enabled.`;
    },
  },
  disable: {
    run: async (accounts, username) => {
      const { id } = await find(accounts, username);
      await accounts.change(id, { isEnabled: false });
      return `The account ${username} is disabled: its sessions have ended, and its API tokens are revoked.`;
    },
  },
};

export const account: Command = {
  name: 'account',
  usage: 'list | add NAME | password NAME | enable NAME | disable NAME',
  summary:
    'Look after who may enter the administration site, also while the service runs. A password is asked for, or read from standard input.',

  async run({ others: [action, username, ...others] }, print) {
    if (action === 'list' && username === undefined) {
      await withAccounts(async (accounts) => (await accounts.list()).map(describe).forEach(print));
      return;
    }
    const known = action !== undefined && Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (!known || username === undefined || others.length > 0) {
      throw new UsageError(
        'One of list, add, password, enable and disable is needed, and the name of an account.',
      );
    }
    if (!isUsername(username)) throw new Error(`The name ${USERNAME_RULE}.`);
    const password = known.needsPassword ? await readNewPassword() : '';
    if (known.needsPassword && !isPassword(password)) throw new Error(`The password ${PASSWORD_RULE}.`);
    await withAccounts(async (accounts) => print(await known.run(accounts, username, password)));
  },
};

async function withAccounts(work: (accounts: AccountsService) => Promise<void>): Promise<void> {
  assertExists(loadSettings());
  // With it comes all of TypeORM, which no other command should wait for.
  const access = await import('./accounts-access.js');
  await access.withAccounts(work);
}

/** @throws Error when there is none */
async function find(accounts: AccountsService, username: string): Promise<Account> {
  const found = await accounts.findByUsername(username);
  if (!found) throw new Error(`There is no account ${username}.`);
  return found;
}

function describe({ username, isEnabled, lastLoginAt }: Account): string {
  const state = isEnabled === 1 ? 'enabled' : 'disabled';
  return `${username}\t${state}\t${lastLoginAt === null ? 'never logged in' : `last logged in ${lastLoginAt}`}`;
}
