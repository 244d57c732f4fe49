import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { POST_MODULES } from '../bootstrap/post-modules.js';
import type { Author, Role } from '../users/user.js';
import { isEasyToGuess, isPassword, PASSWORD_RULE, VARIETY_RULE } from '../settings/credential-rules.js';
import type { Environment } from '../settings/settings.js';
import { print, settingsOfExisting, withContext } from './command-context.js';

const AUTHOR: Author = { kind: 'command', name: 'account' };

export async function addAccount(username: string, role: Role, overrides: Environment): Promise<void> {
  const password = await readNewPassword(username);
  await onAccounts(overrides, async (accounts) => {
    await accounts.add({ username, password, role }, { author: AUTHOR });
    print(`The account ${username} was added as ${role}.`);
  });
}

export async function setPassword(username: string, overrides: Environment): Promise<void> {
  const password = await readNewPassword(username);
  await onAccounts(overrides, async (accounts) => {
    const found = await accounts.findByUsername(username);
    if (!found) throw new Error(`There is no account ${username}.`);
    await accounts.change(found.id, { password }, { author: AUTHOR });
    print(`The account ${username} has a new password; its sessions were ended.`);
  });
}

/** Works whether or not a service is running. */
function onAccounts(
  overrides: Environment,
  work: (accounts: AccountsService) => Promise<void>,
): Promise<void> {
  return withContext(
    settingsOfExisting(overrides),
    [...POST_MODULES, AccountsModule],
    (context) => work(context.get(AccountsService, { strict: false })),
    { isBesideService: true },
  );
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
    : decode(await buffer(process.stdin)).replace(/\r?\n$/, '');
  if (!isPassword(password)) throw new Error(`The password ${PASSWORD_RULE}.`);
  if (isEasyToGuess(password, username)) throw new Error(`The password ${VARIETY_RULE}.`);
  return password;
}

/**
 * Decodes a password. Bytes that are not UTF-8 are refused: with replacement characters, nobody could type it.
 *
 * @throws Error when the input is not UTF-8
 */
function decode(input: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(input);
  } catch {
    throw new Error('The password must be sent as UTF-8.');
  }
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
