import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Account } from '../accounts/account.entity.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { type AccountChange, AccountsService } from '../accounts/accounts.service.js';
import { type Author, type Role, ROLES } from '../http/request/author.js';
import {
  isEasyToGuess,
  isPassword,
  isUsername,
  PASSWORD_RULE,
  USERNAME_RULE,
  VARIETY_RULE,
} from '../settings/credential-rules.js';
import { openDataSourceBesideService } from '../database/open-database.js';
import { settingsOfExisting, withContext } from './command-context.js';
import { type Command, UsageError } from './command.js';

const AUTHOR: Author = { kind: 'command', name: 'account' };
const DEFAULT_ROLE: Role = 'viewer';

type Given = Readonly<{ role: Role; password: string }>;

/** For each action on an account that exists, the change, and the rest of a sentence that begins with its name. */
const CHANGES: Readonly<Record<string, (given: Given) => readonly [AccountChange, outcome: string]>> = {
  role: ({ role }) => [{ role }, `is ${role} now.`],
  password: ({ password }) => [{ password }, 'has a new password; its sessions were ended.'],
  enable: () => [{ isEnabled: true }, 'is enabled.'],
  disable: () => [
    { isEnabled: false },
    'is disabled: its sessions have ended, and its API tokens are revoked.',
  ],
};

export const account: Command = {
  name: 'account',
  usage: 'list | add NAME [ROLE] | role NAME ROLE | password NAME | enable NAME | disable NAME',
  summary: `Manage the accounts of the administration site, also while the service runs. A role is one of ${ROLES.join(', ')}; ${DEFAULT_ROLE} by default. The command prompts for a password, or reads it from standard input.`,
  takes: 3,

  async run({ others: [action = '', username, role] }, print) {
    if (action === 'list' && username === undefined) {
      await onAccounts(async (accounts) => (await accounts.list()).map(describe).forEach(print));
      return;
    }
    const changeOf = Object.hasOwn(CHANGES, action) ? CHANGES[action] : undefined;
    if ((action !== 'add' && !changeOf) || username === undefined)
      throw new UsageError(
        'The first argument is list, add, role, password, enable or disable; all but list need the name of an account.',
      );
    const takesRole = action === 'add' || action === 'role';
    if (role === undefined ? action === 'role' : !takesRole || !isRole(role))
      throw new UsageError(`A role follows the name, for add and role only: ${ROLES.join(', ')}.`);
    if (!isUsername(username)) throw new Error(`The name ${USERNAME_RULE}.`);
    const needsPassword = action === 'add' || action === 'password';
    const password = needsPassword ? await readNewPassword(username) : '';
    const given: Given = { password, role: (role as Role | undefined) ?? DEFAULT_ROLE };
    await onAccounts(async (accounts) => {
      if (!changeOf) {
        await accounts.add({ username, ...given }, AUTHOR);
        print(`The account ${username} was added as ${given.role}.`);
        return;
      }
      const found = await accounts.findByUsername(username);
      if (!found) throw new Error(`There is no account ${username}.`);
      const [change, outcome] = changeOf(given);
      await accounts.change(found.id, change, AUTHOR);
      print(`The account ${username} ${outcome}`);
    });
  },
};

/** Works whether or not a service is running. */
function onAccounts(work: (accounts: AccountsService) => Promise<void>): Promise<void> {
  return withContext(
    settingsOfExisting(),
    [AccountsModule],
    (context) => work(context.get(AccountsService, { strict: false })),
    openDataSourceBesideService,
  );
}

function isRole(role: string): role is Role {
  return (ROLES as readonly string[]).includes(role);
}

function describe({ username, role, isEnabled, lastLoginAt }: Account): string {
  const state = isEnabled === 1 ? 'enabled' : 'disabled';
  const login = lastLoginAt === null ? 'never logged in' : `last logged in ${lastLoginAt}`;
  return [username, role, state, login].join('\t');
}

/**
 * Reads a new password: from a terminal twice and without echo, otherwise from piped input. It is not a command
 * argument, because the process list shows arguments to every user.
 *
 * @throws Error when the two entries differ, or the password breaks a rule
 */
async function readNewPassword(username: string): Promise<string> {
  const password = process.stdin.isTTY
    ? await askForPassword()
    : (await text(process.stdin)).replace(/\r?\n$/, '');
  if (!isPassword(password)) throw new Error(`The password ${PASSWORD_RULE}.`);
  if (isEasyToGuess(password, username)) throw new Error(`The password ${VARIETY_RULE}.`);
  return password;
}

async function askForPassword(): Promise<string> {
  // readline echoes the input to its output; this output discards it.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const lines = reader[Symbol.asyncIterator]();
  const ask = async (prompt: string): Promise<string> => {
    process.stderr.write(prompt);
    const { value, done } = await lines.next();
    process.stderr.write('\n');
    // Input ended by Ctrl-C or Ctrl-D.
    if (done) throw new Error('No password was read; nothing was changed.');
    return value;
  };
  try {
    const password = await ask('New password: ');
    if ((await ask('Repeat the password: ')) !== password) throw new Error('The two passwords differ.');
    return password;
  } finally {
    reader.close();
  }
}
