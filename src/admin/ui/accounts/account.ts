import type { Role } from '../../../http/request/author.js';
import type { AccountChangeDto } from '../../accounts/account.dto.js';
import { api, queryClient } from '../api/client.js';
import type { DialogField } from '../shell/form-dialog.js';
import { notify } from '../shell/notices.js';
import { quoted } from '../texts/texts.js';

export const ACCOUNTS_PATH = 'admin/api/accounts/';

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  editor: 'Editor',
  administrator: 'Administrator',
};

/** The fields of a change of password. The current password is that of the account that is logged in. */
export const PASSWORDS = {
  current: {
    name: 'current_password',
    kind: 'password',
    label: 'Your current password',
    autoComplete: 'current-password',
  },
  next: {
    name: 'password',
    kind: 'password',
    label: 'New password',
    help: 'At least 12 characters, 5 of them different, not counting the user name.',
    autoComplete: 'new-password',
  },
} as const satisfies Record<string, DialogField<string>>;

/**
 * Changes an account and reports it.
 *
 * @param id of the account, or `current` for the logged-in account, which can only change its password
 */
export async function changeAccount(
  id: number | 'current',
  change: AccountChangeDto,
  done: string,
): Promise<void> {
  await api.send(`${ACCOUNTS_PATH}${id}/`, { method: 'PUT', json: change });
  await reload();
  notify(done);
}

export async function addAccount(account: Readonly<Record<'username', string>>): Promise<void> {
  await api.send(ACCOUNTS_PATH, { method: 'POST', json: account });
  await reload();
  notify(`The account ${quoted(account.username)} is added.`);
}

const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [ACCOUNTS_PATH] });
