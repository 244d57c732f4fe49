import { api } from '../api/client.js';
import { ROLES } from '../api/roles.js';
import type { Role } from '../api/session.js';
import type { DialogField } from '../shell/form-dialog.js';
import { t } from '../texts/texts.js';

export interface AccountRow {
  readonly id: number;
  readonly username: string;
  readonly role: Role;
  readonly is_enabled: boolean;
  readonly created_at: string;
  readonly last_login_at: string | null;
}

export const ACCOUNTS_PATH = 'admin/api/accounts/';

export const ROLE_NAMES = Object.fromEntries(
  ROLES.map((role) => [role, t(`accounts.roles.${role}`)]),
) as Readonly<Record<Role, string>>;

/** The fields of a change of password. The current password is that of the account that is logged in. */
export const PASSWORDS = {
  current: {
    name: 'current_password',
    kind: 'password',
    label: t('accounts.currentPassword'),
    autoComplete: 'current-password',
  },
  next: {
    name: 'password',
    kind: 'password',
    label: t('accounts.newPassword'),
    autoComplete: 'new-password',
  },
} as const satisfies Record<string, DialogField<string>>;

export interface AccountChange {
  readonly role?: Role;
  readonly is_enabled?: boolean;
  readonly password?: string;
  /** The current password of the person who makes the change; required with a new password. */
  readonly current_password?: string;
}

/** @param id of the account, or `current` to change the password of the logged-in account */
export function changeAccount(id: number | 'current', change: AccountChange): Promise<AccountRow> {
  return api.json<AccountRow>(`${ACCOUNTS_PATH}${id}/`, { method: 'PUT', json: change });
}

export function addAccount(account: Readonly<Record<string, string>>): Promise<AccountRow> {
  return api.json<AccountRow>(ACCOUNTS_PATH, { method: 'POST', json: account });
}
